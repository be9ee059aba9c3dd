# SPDX-License-Identifier: BSD-2-Clause
"""The truth of a run: every transmission, its fate and its cause, and what the taps have of it."""

import json
from collections.abc import Iterator
from pathlib import Path

from .first_time import FirstTimes
from .link import MS
from .run import TAPS, Run, Sent
from .scenario import Scenario, Stack
from .tap import TapOptions
from .twins import Twins

Record = dict[str, object]
Frames = dict[str, int | None]

#: The lists of a truth document, and what a line of such a list is called.
LISTS = {
    "transmissions": "transmission",
    "network_duplicates": "network_duplicate",
    "capture_duplicates": "capture_duplicate",
    "stack_marks": "stack_mark",
    "probes": "probe",
}


class Truth:
    """Built when the run is over."""

    def __init__(self, run: Run, captures: dict[str, str], twins: Twins | None) -> None:
        """Without twins it is left open what can be known."""
        self._run = run
        self._twins = twins
        self._captures = captures
        self._first_times = FirstTimes(run)
        self._seen = {name: run.taps[name].in_order() for name in TAPS}
        self._frame = {
            name: {(seen.key, seen.copy): at for at, seen in enumerate(sightings, 1)}
            for name, sightings in self._seen.items()
        }
        self._by_packet: dict[int, list[Sent]] = {}
        for sent in run.sent:
            self._by_packet.setdefault(sent.packet, []).append(sent)

    def document(self) -> Record:
        """As one object."""
        transmissions = list(self._transmissions())
        lists: Record = {
            "transmissions": transmissions,
            "network_duplicates": list(self._network_duplicates()),
            "capture_duplicates": list(self._capture_duplicates()),
            "stack_marks": list(self._marks()),
            "probes": [_probe(record) for record in transmissions if record["cause"] == "tlp"],
        }
        return self._about(transmissions) | lists

    def _about(self, transmissions: list[Record]) -> Record:
        scenario = self._run.scenario
        again = [record for record in transmissions if record["retransmission"]]
        name, version = scenario.stack.value
        tap, plain = scenario.tap, TapOptions()
        options: Record = {
            "ttl": list(scenario.hop_limits),
            "ip_id": _ip_ids(scenario),
            "capture_loss": tap.loss or None,
            "capture_dup": tap.duplicate or None,
            "clock_ns": tap.clock_ns if tap.clock_ns != plain.clock_ns else None,
            "skip_ms": tap.begins_ns / MS or None,
            "snaplen": tap.snaplen if tap.snaplen != plain.snaplen else None,
        }
        return {
            "name": scenario.name,
            "stack": name,
            "stack_version": version,
            **receiver(scenario.peer_stack),
            "about": scenario.about,
            "scenario": scenario.in_short(),
            "seed": scenario.seed,
            "captures": self._captures,
            "keylog": f"{scenario.name}.keys.log" if self._run.keys else None,
            "encapsulation": scenario.encapsulation.value,
            "format": "pcapng" if scenario.pcapng else "pcap_ns",
            "frames": {name: len(self._seen[name]) for name in TAPS},
            "tap_at": {self._run.tap_of("a"): "a", "middle": "path", self._run.tap_of("b"): "b"},
            **({"addresses": self._run.addresses} if scenario.second else {}),
            "clock_offset_ns": dict(scenario.clock_offset_ns),
            "capture_options": {key: value for key, value in options.items() if value is not None},
            "counts": {
                "transmissions": len(transmissions),
                "retransmissions": len(again),
                "spurious": sum(record["spurious"] is True for record in again),
            },
            "twin_runs": self._twins.count if self._twins else 0,
            **_share(self._twins),
        }

    def _transmissions(self) -> Iterator[Record]:
        accepted: dict[tuple[str, int], list[bool | None]] = {}
        for sent in self._run.sent:
            accepted.setdefault((sent.side, sent.tsn), []).append(_accepted(sent))
        for sent in self._run.sent:
            earlier = accepted[sent.side, sent.tsn][: sent.copy - 1]
            yield self._transmission(sent, earlier)

    def _transmission(self, sent: Sent, earlier: list[bool | None]) -> Record:
        spurious = None
        if sent.copy > 1:
            spurious = True if True in earlier else None if None in earlier else False
        arrive_ns = None if sent.arrive_ns is None else self._run.start_ns + sent.arrive_ns
        record: Record = {
            "dir": _direction(sent.side),
            "tsn": sent.tsn,
            "copy": sent.copy,
            "bytes": sent.user_bytes,
            "t_ns": self._run.start_ns + sent.time_ns,
            "frames": self._frames(sent.packet, sent.tsn),
            "fate": _fate(sent),
            "why": sent.why,
            "arrive_ns": arrive_ns,
            "retransmission": sent.copy > 1,
            "spurious": spurious,
            "cause": sent.cause,
            "stack_said": sent.stack_said,
        }
        if sent.tsn in self._run.senders[sent.side].given_up:
            record["abandoned"] = True
        if self._run.scenario.second:
            record["path"] = f"{sent.ends.source}>{sent.ends.destination}"
        if self._run.scenario.tap.is_partial:
            record["captured"] = self._captured(sent)
        untried: dict[str, bool | None] = dict.fromkeys(TAPS)
        if sent.copy > 1:
            kind = {
                tap: self._first_times.is_known_again(sent, tap) if at is not None else None
                for tap, at in self._frames(sent.packet, sent.tsn).items()
            }
            verdict = self._twins.verdict(sent) if self._twins else untried
            record["knowable_kind"] = kind
            record["knowable"] = {tap: kind[tap] and verdict[tap] for tap in TAPS}
        record["knowable_outcome"] = self._twins.outcome(sent) if self._twins else untried
        return record

    def _frames(self, packet: int, tsn: int) -> Frames:
        return {name: self._frame_of(name, packet, tsn) for name in TAPS}

    def _frame_of(self, tap: str, packet: int, tsn: int, copy: int = 1) -> int | None:
        """Where a tap has the chunk, and not only packets without it or the packet cut before."""
        at = self._frame[tap].get((packet, copy))
        shown = at is not None and self._run.taps[tap].shows(self._seen[tap][at - 1], tsn)
        return at if shown else None

    def _captured(self, sent: Sent) -> Record:
        """False where the packet passed the tap and is not in the file."""
        passed = {self._run.tap_of(sent.side): True, "middle": sent.passed_middle}
        passed[self._run.tap_of("b" if sent.side == "a" else "a")] = sent.arrive_ns is not None
        frames = self._frames(sent.packet, sent.tsn)
        return {name: frames[name] is not None or not passed[name] for name in TAPS}

    def _network_duplicates(self) -> Iterator[Record]:
        for repeated in self._run.repeated:
            for sent in self._by_packet.get(repeated.of, []):
                frames = self._frames(repeated.packet, sent.tsn)
                own = self._run.tap_of(sent.side)
                elsewhere = {name: at for name, at in frames.items() if name != own}
                yield _who(sent) | {
                    "frames": elsewhere,
                    "kind": "network_duplicate",
                    "fate": _fate_of(sent.accepted_again),
                }

    def _capture_duplicates(self) -> Iterator[Record]:
        repetition_of = {repeated.packet: repeated.of for repeated in self._run.repeated}
        for name in TAPS:
            for at, seen in enumerate(self._seen[name], 1):
                if seen.copy == 1:
                    continue
                first = self._frame[name][seen.key, 1]
                for sent in self._by_packet.get(repetition_of.get(seen.key, seen.key), []):
                    if not self._run.taps[name].shows(seen, sent.tsn):
                        continue
                    yield _who(sent) | {
                        "frames": {name: at},
                        "first_frame": first,
                        "kind": "capture_duplicate",
                    }

    def _marks(self) -> Iterator[Record]:
        marks = [
            (mark.time_ns, side, mark)
            for side, sender in self._run.senders.items()
            for mark in sender.marks
        ]
        for _, side, mark in sorted(marks, key=lambda entry: entry[0]):
            yield mark.record(_direction(side), self._run.start_ns)


def write(document: Record, path: Path) -> None:
    """One object a line: the run, then each record with the name of its list."""
    run = {"record": "run"} | {key: value for key, value in document.items() if key not in LISTS}
    lines = [json.dumps(run)]
    for key, name in LISTS.items():
        records = document[key]
        assert isinstance(records, list)
        lines += [json.dumps({"record": name} | record) for record in records]
    path.write_text("\n".join(lines) + "\n")


def read(path: Path) -> Record:
    """The document again."""
    document: Record = {}
    lists: dict[str, list[Record]] = {name: [] for name in LISTS.values()}
    for line in path.read_text().splitlines():
        record = json.loads(line)
        kind = record.pop("record")
        if kind == "run":
            document = record
        else:
            lists[kind].append(record)
    return document | {key: lists[name] for key, name in LISTS.items()}


def _direction(side: str) -> str:
    return "a2b" if side == "a" else "b2a"


def _ip_ids(scenario: Scenario) -> str | None:
    """Where it is not a count of the association's own packets."""
    if scenario.ip_id_zero:
        return "zero"
    if scenario.ip_id_random:
        return "random"
    return "host" if scenario.other_flows else None


def _who(sent: Sent) -> Record:
    return {"dir": _direction(sent.side), "tsn": sent.tsn, "copy": sent.copy}


def _probe(record: Record) -> Record:
    kept = {key: record[key] for key in ("dir", "t_ns", "tsn")}
    return kept | {"kind": "retransmission", "frames": record["frames"]}


def receiver(stack: Stack | None) -> Record:
    """The stack of the other host, where it is another one."""
    if stack is None:
        return {}
    return {"receiver_stack": stack.value[0], "receiver_stack_version": stack.value[1]}


def _share(twins: Twins | None) -> Record:
    """How much of what is sent again was tried, where it was not all."""
    return {} if twins is None or twins.share >= 1 else {"knowable_share": twins.share}


def _fate(sent: Sent) -> str:
    if sent.lost:
        return "dropped_after_middle" if sent.passed_middle else "dropped_before_middle"
    return _fate_of(sent.accepted)


def _fate_of(accepted: bool | None) -> str:
    return {None: "in_flight", True: "delivered", False: "discarded"}[accepted]


def _accepted(sent: Sent) -> bool | None:
    """This copy or the network's repetition of it; None: the run ended before it could be known."""
    if sent.lost:
        return False
    return True if sent.accepted_again else sent.accepted
