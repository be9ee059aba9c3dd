# SPDX-License-Identifier: BSD-2-Clause
"""What a payload protocol identifier is called: the IANA registry "SCTP Payload Protocol
Identifiers" (RFC 9260 section 15.5), in short, as far as its numbers are assigned."""

#: From 0 on; empty: not assigned.
_NAMES = (
    *("", "IUA", "M2UA", "M3UA", "SUA", "M2PA", "V5UA", "H.248", "BICC", "TALI"),
    *("DUA", "ASAP", "ENRP", "H.323", "Q.IPC", "SIMCO", "DDP segments", "DDP control"),
    *("S1AP", "RUA", "HNBAP", "ForCES-HP", "ForCES-MP", "ForCES-LP", "SBc-AP", "NBAP"),
    *("", "X2AP", "IRCP", "LCS-AP", "MPICH2", "SABP", "FGP", "PPP", "CALCAPP", "SSP"),
    *("NPMP control", "NPMP data", "Echo", "Discard", "Daytime", "CharGen", "3GPP RNA"),
    *("M2AP", "M3AP", "SSH over SCTP", "Diameter", "Diameter over DTLS", "R14P", "GDT"),
    *("WebRTC DCEP", "WebRTC string", "WebRTC binary partial", "WebRTC binary"),
    *("WebRTC string partial", "3GPP PUA", "WebRTC string empty", "WebRTC binary empty"),
    *("XwAP", "Xw control plane", "NGAP", "XnAP", "F1AP", "HTTP/SCTP", "E1AP", "ELE2"),
    *("NGAP over DTLS", "XnAP over DTLS", "F1AP over DTLS", "E1AP over DTLS"),
    *("E2-CP", "E2-UP", "E2-DU", "W1AP"),
)


def ppid_text(ppid: int | None) -> str:
    """As `60 (NGAP)`; without a name the number, in hexadecimal where it looks like no small one.

    0 says that the application told none (RFC 9260 section 3.3.1).
    """
    if ppid is None:
        return "not captured"
    if ppid == 0:
        return "0 (not told)"
    name = _NAMES[ppid] if ppid < len(_NAMES) else ""
    if name:
        return f"{ppid} ({name})"
    return str(ppid) if ppid < 1 << 16 else f"{ppid:#010x}"
