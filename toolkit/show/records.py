"""Names of data sources by platform: z/VM writes monitor data in place of SMF records."""

from iosq.toolkit.show.numbers import share

ZVM = "z/VM"
ZVM_CACHE = "MONWRITE (D6R4) or the cache report (FCX111)"
ZVM_DEVICES = "DEVICE (FCX108), DEVLOG (FCX168) or MONWRITE"
ZVM_BYTES = "FCHANNEL (FCX215)"
ZVM_CHANNELS = f"LCHANNEL (FCX161) or {ZVM_BYTES}"


def unread(coverage: float | None, least: float) -> str:
    """Sentence on missing systems if those read do less than `least` of a box's I/Os; otherwise empty."""
    if coverage is None or coverage >= least:
        return ""
    return (
        f"device records of other systems are missing: those read do {share(coverage)} of the I/Os, and the "
        "others are assumed to disconnect as long"
    )


def untimed(method: str | None) -> str:
    """Why the time of delayed writes is unknown, by the method of the view `nvs_delay`; the end of a sentence."""
    return _UNTIMED.get(method or "", "is unknown without device records of its volumes at that time")


_UNTIMED = {
    "several boxes": (
        "is unknown: records name this subsystem id in several boxes, and not to which of them each system's I/Os go"
    ),
    "more I/Os than counted": (
        "is unknown: the systems read did more I/Os than the box counted, as where two boxes have one subsystem id"
    ),
}


def by_platform(platform: str | None, smf: str, zvm: str = "") -> str:
    """The source on `platform`: `zvm` on z/VM, else `smf`; empty if z/VM has none."""
    return zvm if platform == ZVM else smf


def show_aliases(platform: str | None) -> str:
    """How to obtain the number of aliases of a volume, as a sentence."""
    return by_platform(
        platform,
        "Ingest type 74.1 or the device activity report: they show its aliases",
        "QUERY PAV shows its aliases; collect D6R3 (MONITOR SAMPLE ENABLE I/O)",
    )


def queue_records(platform: str | None) -> str:
    """The records that show how many I/Os wait in the host."""
    return by_platform(platform, "SMF 74.1", f"{ZVM_DEVICES} with high-frequency sampling")


def device_number(device: str, platform: str | None) -> str:
    """A device number as the platform writes it: z/VM has four digits, without one for the subchannel set."""
    return device[1:] if platform == ZVM and len(device) == 5 and device[0] == "0" else device
