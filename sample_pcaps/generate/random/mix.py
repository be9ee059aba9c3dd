# SPDX-License-Identifier: BSD-2-Clause
"""The whole mix of random runs. Times are milliseconds, probabilities are of a packet unless a
comment says otherwise. Only this file says what is drawn; the others say how it makes a run."""

from enum import Enum

from ..encapsulation import Encapsulation
from ..scenario import Stack
from .distribution import Choice, Log, Sometimes, Uniform, Whole


class Can(Enum):
    """What not every stack has."""

    NR_SACK = "NR-SACK"
    I_DATA = "I-DATA"
    I_BIT = "the I bit where a message asks for it"
    TIMERS = "RTO.Min, RTO.Initial, RTO.Max, the SACK's delay"
    SACK_EVERY = "after how many packets a SACK comes at once"
    NAGLE = "Nagle's algorithm"
    TWO_ADDRESSES = "two addresses"
    DTLS = "DTLS below it"
    TURN = "a TSN above 2^32 - 1, which is 0"  #: sctp of npm then acknowledges nothing any more


#: Of both hosts a run asks only what both can; but for timers, Nagle and the I bit, which one may
#: have alone. A new stack is entered here and in PAIRS.
ABILITIES = {
    Stack.USRSCTP: frozenset(Can) - {Can.DTLS},
    Stack.PION: frozenset({Can.TURN, Can.I_DATA, Can.DTLS}),
    Stack.PION_NO_RACK: frozenset({Can.TURN}),
    Stack.DCSCTP: frozenset({Can.TURN, Can.I_DATA}),
    Stack.LINUX: frozenset({Can.TURN, Can.I_DATA, Can.TIMERS, Can.TWO_ADDRESSES}),
    Stack.AIORTC: frozenset({Can.TURN}),
    Stack.SCTP_PROTO: frozenset({Can.TURN}),
    Stack.WEBRTC_RS: frozenset({Can.TURN}),
    Stack.NPM_SCTP: frozenset[Can](),
    Stack.WERIFT: frozenset({Can.TURN}),
}
#: (Stack of the host of the main data flow, stack of the other host).
PAIRS = Choice(
    {
        (Stack.USRSCTP, Stack.USRSCTP): 4,
        (Stack.PION, Stack.PION): 3,
        (Stack.PION_NO_RACK, Stack.PION_NO_RACK): 2,
        (Stack.DCSCTP, Stack.DCSCTP): 3,
        (Stack.LINUX, Stack.LINUX): 3,
        (Stack.USRSCTP, Stack.PION): 0.5,
        (Stack.PION, Stack.USRSCTP): 0.5,
        (Stack.USRSCTP, Stack.DCSCTP): 0.5,
        (Stack.DCSCTP, Stack.USRSCTP): 0.5,
        (Stack.PION, Stack.DCSCTP): 0.5,
        (Stack.DCSCTP, Stack.PION): 0.5,
    }
)

#: The same of the seeds that `seeds.py` calls unfamiliar: these have no profile. Nothing was chosen
#: on aiortc and webrtc-rs, on sctp-proto only whether a pion that does not list I-DATA has RACK,
#: and of werift that a receiver may repeat its reports of duplicates.
UNFAMILIAR_STACKS = (
    Stack.AIORTC,
    Stack.SCTP_PROTO,
    Stack.WEBRTC_RS,
    Stack.NPM_SCTP,
    Stack.WERIFT,
)
PAIRS_TO_UNFAMILIAR = Choice(
    {
        (sender, unfamiliar): weight
        for unfamiliar in UNFAMILIAR_STACKS
        for sender, weight in (
            (Stack.PION, 2),
            (Stack.PION_NO_RACK, 1),
            (Stack.USRSCTP, 2),
            (Stack.DCSCTP, 2),
        )
    }
)
PAIRS_FROM_UNFAMILIAR = Choice(
    {
        (unfamiliar, receiver): weight
        for unfamiliar in UNFAMILIAR_STACKS
        for receiver, weight in (
            (unfamiliar, 4),
            (Stack.PION, 2),
            (Stack.USRSCTP, 2),
            (Stack.DCSCTP, 2),
        )
    }
)


class Kind(Enum):
    """What applications do."""

    BULK = "bulk"
    PACED = "one message after each interval"
    BURSTS = "bursts"
    VIDEO = "video"
    SLOW_READER = "a receiver that reads in steps"
    ANSWERS = "requests with long answers"
    DIALOGUE = "requests and responses with think times"
    REPORTS = "periodic reports"
    NEAR_TIMERS = "pauses nearly as long as timers of stacks"


KIND = Choice(
    {
        Kind.BULK: 20,
        Kind.PACED: 14,
        Kind.BURSTS: 12,
        Kind.VIDEO: 8,
        Kind.SLOW_READER: 8,
        Kind.ANSWERS: 6,
        Kind.DIALOGUE: 12,
        Kind.REPORTS: 10,
        Kind.NEAR_TIMERS: 10,
    }
)
SIGNALLING = (Kind.DIALOGUE, Kind.REPORTS, Kind.NEAR_TIMERS)

# Applications
MESSAGE_BYTES = Log(80, 8192)
SIGNAL_BYTES = Log(80, 1500)
PACKETS = Log(200, 1500)  #: of the main data flow, about
INTERVAL = Log(0.5, 40)
BURST_MESSAGES = Whole(2, 30)
BURST_EVERY = Log(50, 4000)
VIDEO_FRAMES = Whole(20, 90)
VIDEO_FRAME_BYTES = Log(1000, 8000)  #: but for the first of ten
MAIN = Choice({"a": 7, "b": 3})
BOTH_WAYS = Sometimes(0.25, Log(0.05, 1))  #: how much of PACKETS the other way
STREAMS = Whole(1, 8)
UNORDERED = Choice({False: 3, True: 1})
I_BIT = Sometimes(0.3, Uniform(0.02, 1))  #: share of the messages
RELIABILITY = Choice({"full": 8, "limited retransmissions": 1, "lifetime": 1})
RTX_LIMIT = Whole(0, 3)
LIFETIME = Log(20, 3000)
THINK = Log(1, 10_000)
SERVE = Log(0.2, 100)
PERIOD = Log(20, 10_000)
PERIODS = Whole(1, 4)  #: one after the other
EACH_PERIOD = Whole(10, 80)  #: messages
#: SACK delays, RTO.Min, RTO.Initial of usrsctp, pion, dcSCTP, Linux; of telephony the first two.
TIMER = Choice({50: 1, 100: 1, 200: 4, 300: 1, 400: 2, 500: 2, 1000: 4, 3000: 1})
NEAR_TIMER = Uniform(-15, 15)
SINCE = Whole(0, 1)  #: round trips after a burst its timer starts: with the data, with its feedback
SIGNAL_BURST = Whole(1, 6)
EXCHANGES = Whole(30, 220)
ANSWER_MESSAGES = Whole(2, 12)
READER_IS_SENT = Choice({"one after each interval": 1, "all at once": 1})
READER_STOPS = Whole(1, 6)  #: times
READER_STANDS = Log(300, 15_000)
READER_READS = Log(2, 300)

# Hosts
MTU = Choice({512: 2, 700: 1, 1172: 3, 1280: 2, 1400: 2})  #: of an SCTP packet
SMALL_BUFFER = Sometimes(0.15, Log(6000, 60_000))
READER_BUFFER = Log(6000, 40_000)
INITIAL_TSN = Choice({"any": 4, "above 2^31": 2, "around 2^31": 2, "around 2^32": 2})
ANY_TSN = Whole(1, 2**32 - 1)
ABOVE_THE_HALF = Whole(2**31, 2**32 - 2**16 - 1)
BEFORE_THE_TURN = Whole(1, 300)  #: TSNs
#: Who lists I-DATA in INIT or INIT ACK: pion since 1.10 unless its program asks it not to, others
#: where theirs asks for it.
I_DATA = Choice({"nobody": 4, "both": 1})
I_DATA_WITH_PION = Choice({"nobody": 5, "pion": 4, "both": 1})
NR_SACK = Choice({False: 4, True: 1})
NAGLE = Choice({False: 2, True: 1})
RTO_MIN = Sometimes(0.4, Log(50, 2000))
RTO_INITIAL = Sometimes(0.3, Log(200, 5000))
RTO_MAX = Sometimes(0.3, Log(3000, 60_000))
SACK_DELAY = Sometimes(0.35, Log(10, 500))
SACK_EVERY = Sometimes(0.25, Whole(1, 4))
HOST_TAKES = Sometimes(0.45, Log(0.05, 10))  #: at most
HOP_LIMIT = Choice({64: 5, 128: 3, 255: 2})
IP_ID = Choice({"association": 4, "host": 2, "zero": 2, "random": 1})
OTHER_FLOWS = Log(0.2, 20)  #: their packets for each of the association
TWO_ADDRESSES = Choice({False: 7, True: 1})
PATH_FAILS_AFTER = Uniform(0.05, 0.7)  #: of what applications take
PATH_FAILS = Log(1000, 20_000)

# Paths
ROUND_TRIP = Log(1, 600)
SHARE_FORTH = Uniform(0.3, 0.7)  #: of the round trip
JITTER = Sometimes(0.5, Log(0.01, 0.8))  #: of the delay
JITTER_REORDERS = Choice({False: 3, True: 1})
LOSS = Choice({"none": 1.5, "independent": 5, "bursts": 3.5})
INDEPENDENT = Log(0.005, 0.15)
BURST_BEGINS = Log(0.003, 0.04)
BURST_ENDS = Uniform(0.15, 0.7)
LOSS_BACK = Sometimes(0.4, Log(0.002, 0.08))
SACK_LOSS = Sometimes(0.35, Uniform(0, 0.35))
TAIL_LOSS = Sometimes(0.6, Uniform(0.1, 1))  #: of a burst
TAIL = Whole(1, 3)  #: chunks
SIGNAL_LOSS = Sometimes(0.5, Log(0.001, 0.01))
LATE = Sometimes(0.2, Log(0.003, 0.08))
LATE_BY = Log(1, 80)
DUPLICATE = Sometimes(0.25, Log(0.003, 0.06))
DUPLICATE_AFTER = Log(0.05, 40)  #: from and to
TROUBLE = Choice({"none": 10, "spike": 4, "step": 2, "outage": 2})
TROUBLES = Whole(1, 3)
TROUBLE_AFTER = Uniform(0.05, 0.95)  #: of what applications take
SPIKE = Log(150, 5000)
STEP = Log(0.3, 6)  #: of the delay
OUTAGE = Log(30, 2500)
FAST_BITS = Log(5e6, 4e8)  #: a second
SLOW_LINK = Sometimes(0.15, Log(3e5, 3e6))
SHORT_QUEUE = Whole(3, 40)  #: packets

# Taps
ENCAPSULATION = Choice(
    {
        Encapsulation.IP: 3,
        Encapsulation.ETHERNET: 3,
        Encapsulation.VLAN: 2,
        Encapsulation.SLL2: 2,
        Encapsulation.IP6: 3,
        Encapsulation.UDP: 3,
        Encapsulation.DTLS: 2,
    }
)
PCAPNG = Choice({False: 1, True: 1})
MIDDLE = Uniform(0.05, 0.95)  #: of the way
HOPS = Whole(1, 12)
CLOCK_NS = Choice({1: 6, 100: 1, 1000: 5, 10_000: 1, 100_000: 1, 1_000_000: 1})
CLOCK_OFF = Sometimes(0.3, Log(0.01, 5000))  #: ahead
TAP_MISSES = Sometimes(0.15, Log(0.0005, 0.03))
TAP_DOUBLES = Sometimes(0.15, Log(0.001, 0.1))
TAP_BEGINS = Sometimes(0.12, Uniform(0.05, 0.7))  #: of what applications take
SNAPLEN = Sometimes(0.1, Choice({96: 2, 128: 2, 256: 1}))

#: Steps of the least delay until a run is cut off: this, and the packets, is what it costs.
STEPS = 12_000
SIGNALLING_STEPS = 24_000
LONGEST = 300_000
