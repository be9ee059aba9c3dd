# SPDX-License-Identifier: BSD-2-Clause
"""How the causes of a retransmission read in a sentence and in a list of counts."""

from sctp_rack.names import Cause

#: What the sender did, as a noun that may follow a count.
NOUN = {
    Cause.T3: "by T3-rtx",
    Cause.T3_GBN: "after T3-rtx (go-back-N)",
    Cause.FAST: "by fast retransmit",
    Cause.FAST_DEFERRED: "by fast retransmit, deferred",
    Cause.RACK: "by RACK",
    Cause.RACK_TIMER: "by RACK's timer",
    Cause.RACK_RTX: "by RACK, of a lost retransmission",
    Cause.TLP: "as tail loss probe",
    Cause.EARLY_RETRANSMIT: "by early retransmit",
    Cause.ZERO_WINDOW_PROBE: "as window probe",
    Cause.PACKET_DROP: "for a PACKET-DROP",
    Cause.RENEGE: "after reneging",
    Cause.PMTU: "after a path MTU change",
    Cause.FAILOVER: "on another path after a failure",
    Cause.HANDSHAKE: "with COOKIE ECHO",
    Cause.AFTER_ACK: "after its acknowledgement",
    Cause.UNKNOWN: "for an unknown cause",
}

#: Causes that are one thing to who reads a single sentence.
_FAMILY = {
    Cause.T3: "by timeouts",
    Cause.T3_GBN: "by timeouts",
    Cause.FAST: "by fast retransmit",
    Cause.FAST_DEFERRED: "by fast retransmit",
    Cause.RACK: "by RACK",
    Cause.RACK_TIMER: "by RACK",
    Cause.RACK_RTX: "by RACK",
    Cause.TLP: "as tail loss probes",
    Cause.ZERO_WINDOW_PROBE: "as window probes",
}

#: Why the sender sent it, as the end of a sentence "sent again …"; `{trigger}` is the feedback.
REASON = {
    Cause.T3: "because the retransmission timer T3-rtx expired (RFC 9260 section 6.3.3)",
    Cause.T3_GBN: "because an earlier T3-rtx timeout had marked everything outstanding (go-back-N)",
    Cause.FAST: "by fast retransmit: {trigger} brought the third missing report "
    "(RFC 9260 section 7.2.4)",
    Cause.FAST_DEFERRED: "by fast retransmit: {trigger} brought the third missing report; one "
    "packet leaves then, and the rest, as this, later (RFC 9260 section 7.2.4)",
    Cause.RACK: "by RACK: {trigger} acknowledged data sent later, and the reordering window was "
    "over (RFC 8985 section 6.2)",
    Cause.RACK_TIMER: "by RACK: its reordering timer expired (RFC 8985 section 6.2 step 5)",
    Cause.RACK_RTX: "by RACK, which noticed that a retransmission was lost too "
    "(RFC 8985 section 6.2)",
    Cause.TLP: "as a tail loss probe (RFC 8985 section 7.3)",
    Cause.EARLY_RETRANSMIT: "by early retransmit: too little was outstanding for three missing "
    "reports (RFC 5827)",
    Cause.ZERO_WINDOW_PROBE: "as a probe of the closed receive window (RFC 9260 section 6.1)",
    Cause.PACKET_DROP: "because a PACKET-DROP chunk named it",
    Cause.RENEGE: "because the receiver withdrew its gap acknowledgement",
    Cause.PMTU: "smaller, because the path MTU had changed",
    Cause.FAILOVER: "on another path, because its path had failed",
    Cause.HANDSHAKE: "because COOKIE ECHO was sent again, and it rode along",
    Cause.AFTER_ACK: "although its acknowledgement had reached the sender",
    Cause.UNKNOWN: "for a cause that none of the known rules explains",
}


#: What `{trigger}` reads as, and where no frame is known.
TRIGGER, NO_TRIGGER = "frame {frame}", "the feedback before it"


def family(cause: str) -> str:
    """How retransmissions of this cause, and of those akin to it, were sent."""
    return _FAMILY.get(Cause(cause), NOUN[Cause(cause)])


def reason(cause: str | None, trigger_frame: int | None) -> str:
    """The end of "sent again …" for a row of `transmissions`."""
    if cause is None:
        return "for a cause that is not known yet"
    feedback = NO_TRIGGER if trigger_frame is None else TRIGGER.format(frame=trigger_frame)
    return REASON[Cause(cause)].format(trigger=feedback)
