# SPDX-License-Identifier: BSD-2-Clause
"""What a parameter may change in a profile, and what it may not."""

import pytest
from sctp_rack.names import Profile
from sctp_rack.reference.profiles import PROFILES, rfc8985
from sctp_rack.reference.variants import VARIANTS, varied

VALUES = {
    "reo_wnd_step": "1/8",
    "dup_thresh": "5",
    "persist": "2",
    "rtt_rule": "robust",
    "sacked_in": "chunks",
    "tlp": "on",
    "pto_factor": "3/2",
    "max_ack_delay": "0",
    "misses": "4",
    "pion_counts": "newly_acked",
    "split_paths": "on",
    "gap_block_cap": "16",
    "reports_duplicates": "no",
    "rto_min": "400",
    "rto_initial": "500",
}


@pytest.mark.parametrize("profile", list(Profile))
@pytest.mark.parametrize("name", list(VARIANTS))
def test_a_parameter_never_adds_a_detector(name: str, profile: Profile) -> None:
    before = PROFILES[profile]()
    try:
        after = varied(before, {name: VALUES[name]})
    except ValueError as error:
        assert "\n" not in str(error)
        assert name in str(error)
        return

    for detector in ("rack", "tlp", "misses", "pion"):
        assert not (getattr(before, detector) is None and getattr(after, detector))


def test_every_parameter_fits_one_profile_at_least() -> None:
    fitting = set()
    for make in PROFILES.values():
        for name, value in VALUES.items():
            try:
                varied(make(), {name: value})
            except ValueError:
                continue
            fitting.add(name)

    assert fitting == set(VARIANTS)


def test_probes_can_be_switched_off_and_on_again_where_there_is_rack() -> None:
    without = varied(rfc8985(), {"tlp": "off"})

    assert without.tlp is None
    assert varied(without, {"tlp": "on"}).tlp == rfc8985().tlp


@pytest.mark.parametrize(
    ("name", "value", "words"),
    [
        ("tlp", "of", "choose on, off"),
        ("rtt_rule", "lax", "choose strict, robust"),
        ("sacked_in", "bytes", "choose packets, chunks"),
        ("reports_duplicates", "maybe", "choose "),
        ("dup_thresh", "0", "less than 1"),
        ("dup_thresh", "many", "'many'"),
        ("reo_wnd_step", "-1/4", "negative"),
        ("pto_factor", "1/0", "'1/0'"),
        ("max_ack_delay", "-1", "negative"),
        ("rto_min", "soon", "no number of milliseconds"),
    ],
)
def test_a_value_that_is_none_is_refused_with_the_reason(name: str, value: str, words: str) -> None:
    with pytest.raises(ValueError, match="cannot be") as refused:
        varied(rfc8985(), {name: value})

    assert words in str(refused.value)
    assert str(refused.value).startswith(f"parameter {name} ")
