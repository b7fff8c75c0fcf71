"""Channel model: time per I/O and per byte, limits of the rate, and the effect of distance.

A request has a latency, which can overlap with other requests, and a service time, which can't. Service is the longer
of port processing (per I/O) and link time (per byte) if the port prepares the next transfer while one is on the link
(FC, FICON), and their sum if one I/O holds the channel from command to status (ESCON).
A duplex link carries reads and writes at once, each with its own limit. Each I/O of a mix uses one direction, so
demand on a direction is more variable, and throughput approaches its limit more gradually.
"""

import math
import re
from dataclasses import dataclass, replace

import numpy as np

from iosq.models.channel import closed, several
from iosq.models.machine import Machine
from iosq.models.queueing import stations
from iosq.models.queueing.checks import insist
from iosq.toolkit.errors import RequestError

LIGHT_MS_PER_KM = 0.005  # one way, light in glass fibre
BUSY = 0.7  # utilisation from which a station is reported as the limit
SMOOTH = 1 / 16  # squared coefficient of variation used for constant service in the bounds
HOST = "host I/O system"
HOST_PARAMETERS = "host_read_ms", "host_write_ms", "host_read_bytes_rate", "host_write_bytes_rate"
SPARED = "second_channel_spares_ms"
_KNOT = re.compile(r"(read|write)_latency_at_(\d+)_ms")


@dataclass(frozen=True)
class Side:
    """One direction of transfer: port time per I/O, link rate, and unloaded response at some block sizes."""

    port_ms: float
    link_bytes_rate: float
    knots: tuple[tuple[float, float], ...]

    def latency_ms(self, block_bytes: float) -> float:
        """Unloaded response by block size: interpolated between knots, extrapolated beyond them."""
        if len(self.knots) == 1:
            at, latency = self.knots[0]
            return latency + (block_bytes - at) / self.link_bytes_rate * 1e3
        sizes = [size for size, _ in self.knots]
        segment = min(max(int(np.searchsorted(sizes, block_bytes)) - 1, 0), len(sizes) - 2)
        (x0, y0), (x1, y1) = self.knots[segment : segment + 2]
        return y0 + (block_bytes - x0) * (y1 - y0) / (x1 - x0)


@dataclass(frozen=True)
class Host:
    """The host's I/O system, shared by all channels: time per read and write, rate per direction."""

    read_ms: float
    write_ms: float
    read_bytes_rate: float
    write_bytes_rate: float

    def service_ms(self, load: "Load") -> tuple[float, float]:
        """Time per I/O if directions run in parallel, and if they share the host."""
        reads, writes = load.read_ratio, 1 - load.read_ratio
        per_io = reads * self.read_ms + writes * self.write_ms
        directions = (reads, self.read_bytes_rate), (writes, self.write_bytes_rate)
        transfers = [1e3 * load.block_bytes * share / rate for share, rate in directions]
        return max(per_io, *transfers), max(per_io, sum(transfers))


@dataclass(frozen=True)
class Channel:
    """A channel type. `window_bytes` is the most unacknowledged data in transit; every I/O takes `round_trips`.

    host: limit shared by several channels; None if the file has none. spared_ms: time that an I/O saves with a second
    channel, because it need not wait until the port has ended the previous I/O.
    """

    name: str
    read: Side
    write: Side
    is_duplex: bool
    is_overlapped: bool
    turnaround_ms: float
    variability: float
    window_bytes: float
    round_trips: float
    distance_max_km: float
    host: Host | None = None
    spared_ms: float = 0.0


@dataclass(frozen=True)
class Load:
    """Closed load: a population of `tasks` on `volumes`, each with up to `exposures` I/Os in progress."""

    block_bytes: float
    read_ratio: float
    tasks: int
    volumes: int = 1
    exposures: int = 1


@dataclass(frozen=True)
class Prediction:
    """`io_rate` and `bytes_rate` per second, bounds for the unknown variability of service, and the limiting part."""

    io_rate: float
    io_rate_low: float
    io_rate_high: float
    bytes_rate: float
    response_ms: float
    in_box: float
    limit: str


def from_machine(machine: Machine) -> Channel:
    """The channel of a machine file; RequestError naming a missing parameter."""
    value = machine.value
    return Channel(
        name=machine.name,
        read=_side(machine, "read"),
        write=_side(machine, "write"),
        is_duplex=value("is_duplex") != 0,
        is_overlapped=value("is_overlapped") != 0,
        turnaround_ms=machine.not_negative("turnaround_ms"),
        variability=machine.positive("service_variability_ratio"),
        window_bytes=machine.positive("window_bytes"),
        round_trips=machine.not_negative("round_trips_count"),
        distance_max_km=machine.not_negative("distance_max_km"),
        host=Host(*map(machine.positive, HOST_PARAMETERS)) if HOST_PARAMETERS[0] in machine.parameters else None,
        spared_ms=machine.not_negative(SPARED, 0.0),
    )


def _side(machine: Machine, name: str) -> Side:
    found = [(_KNOT.fullmatch(key), p.value) for key, p in machine.parameters.items()]
    knots = sorted((float(m[2]), value) for m, value in found if m and m[1] == name)
    if not knots:
        raise RequestError(
            f"machine {machine.name} has no {name} latency", remedy=f"add [parameter.{name}_latency_at_4096_ms]"
        )
    return Side(machine.positive(f"{name}_port_ms"), machine.positive(f"{name}_link_bytes_rate"), tuple(knots))


def predict(channel: Channel, load: Load, *, channels: int = 1, distance_km: float = 0.0) -> Prediction:
    """Predict rate, throughput and response of a closed load on `channels` equal channels.

    RequestError for an impossible load, or a distance beyond the channel's reach.
    """
    _check(channel, load, channels, distance_km)
    cycle = _cycle(channel, load, distance_km, channels)
    rates = [cycle.rate(channels, variability) for variability in (cycle.station.variability, 1.0, SMOOTH)]
    own, station = rates[0], cycle.station
    rates += [*cycle.other_path_selections(channels), *_spared_bounds(channel, cycle, channels)]
    host, host_low, host_high = cycle.host_rates()
    rate, low, high = min(own, host), min(*rates, host_low), min(max(rates), host_high)
    response_ms = load.tasks / rate * 1e3 - channel.turnaround_ms
    in_box = cycle.requests - (0.0 if cycle.queued else rate * channel.turnaround_ms / 1e3)
    limit = station.name if rate / channels * station.service_ms / 1e3 > BUSY else "latency"
    limit = HOST if host < own and rate * cycle.usual_host_ms / 1e3 > BUSY else limit
    return Prediction(rate, low, high, rate * load.block_bytes, response_ms, in_box, limit)


def io_rate(channel: Channel, load: Load, *, channels: int = 1, distance_km: float = 0.0) -> float:
    """Only the rate of `predict`, at a fraction of the time; errors as of `predict`."""
    _check(channel, load, channels, distance_km)
    cycle = _cycle(channel, load, distance_km, channels)
    return min(cycle.rate(channels, cycle.station.variability), cycle.host_rates()[0])


@dataclass(frozen=True)
class _Cycle:
    """Path of a request: the slowest station and the delay outside it; `queued`: more tasks than exposures.

    host_ms: time in the host's I/O system if directions run in parallel, and if they share it; 0 without that limit.
    """

    station: "_Station"
    delay_ms: float
    requests: int
    queued: bool
    host_ms: tuple[float, float]

    @property
    def usual_host_ms(self) -> float:
        """Likely time in the host's I/O system: the geometric mean of both cases."""
        return math.sqrt(math.prod(self.host_ms))

    def rate(self, channels: int, variability: float) -> float:
        return 1e3 * several.throughput(self.requests, self.delay_ms, self.station.service_ms, variability, channels)

    def host_rates(self) -> tuple[float, float, float]:
        """Most I/Os per second of the host's I/O system, with low and high bounds; infinite without that limit.

        It is not published whether directions share it: the value is the geometric mean of both cases.
        """
        parallel, shared = self.host_ms
        if not parallel:
            return math.inf, math.inf, math.inf
        cases = (self.usual_host_ms, self.station.variability), (shared, 1.0), (parallel, SMOOTH)
        value, low, high = (self._through_host(ms, variability) for ms, variability in cases)
        return value, min(value, low), max(value, high)

    def _through_host(self, host_ms: float, variability: float) -> float:
        rest_ms = max(self.delay_ms + self.station.service_ms - host_ms, 0.0)
        return 1e3 * closed.throughput(self.requests, rest_ms, host_ms, variability)

    def other_path_selections(self, channels: int) -> list[float]:
        """I/Os per second with random channels, and with one queue and nearly constant service; bounds for the rate."""
        if channels == 1 or self.requests > several.MOST_DEALT:
            return []
        requests, delay_ms, service_ms = self.requests, self.delay_ms, self.station.service_ms
        at_random = stations.balanced(requests, delay_ms, service_ms / channels, channels)
        return [1e3 * at_random, 1e3 * several.together(requests, delay_ms, service_ms, SMOOTH, channels)]


def _cycle(channel: Channel, load: Load, distance_km: float, channels: int = 1) -> _Cycle:
    station, delay_ms = _bottleneck(channel, load, distance_km)
    room = load.volumes * load.exposures
    queued = load.tasks > room
    host_ms = channel.host.service_ms(load) if channel.host else (0.0, 0.0)
    requests = min(load.tasks, room)
    spared_ms = channel.spared_ms / requests if channels > 1 else 0.0  # measured for one request; assumed for one of n
    outside_ms = max(delay_ms - spared_ms, 0.0) + (0.0 if queued else channel.turnaround_ms)
    return _Cycle(station, outside_ms, requests, queued, host_ms)


def _spared_bounds(channel: Channel, cycle: _Cycle, channels: int) -> list[float]:
    """I/Os per second if a second channel saves nothing, and if it saves every I/O the same; none with one channel."""
    if channels == 1 or not channel.spared_ms:
        return []
    without_ms = cycle.delay_ms + channel.spared_ms / cycle.requests
    ends = (without_ms, 1.0), (max(without_ms - channel.spared_ms, 0.0), cycle.station.variability)
    return [replace(cycle, delay_ms=ms).rate(channels, variability) for ms, variability in ends]


def limit(channel: Channel, block_bytes: float, read_ratio: float, *, distance_km: float = 0.0) -> tuple[str, float]:
    """The limiting part of one channel (`port`, `read link` ...) and its most I/Os per second, for any population."""
    load = Load(block_bytes, read_ratio, tasks=1)
    _check(channel, load, 1, distance_km)
    station = _bottleneck(channel, load, distance_km)[0]
    return station.name, 1e3 / station.service_ms


def link_bytes_rate(channel: Channel, side: Side, distance_km: float) -> float:
    """Bytes per second on the link: its rate, or the window per round trip if that is less (droop)."""
    round_trip_ms = 2 * LIGHT_MS_PER_KM * distance_km
    own_ms = channel.window_bytes / side.link_bytes_rate * 1e3
    return side.link_bytes_rate * min(1.0, own_ms / round_trip_ms if round_trip_ms else 1.0)


@dataclass(frozen=True)
class _Station:
    name: str
    service_ms: float
    variability: float


def _bottleneck(channel: Channel, load: Load, distance_km: float) -> tuple[_Station, float]:
    """The station with the longest service per I/O, and the rest of the unloaded response, in ms."""
    parts = [_port(channel, load), *_links(channel, load, distance_km)]
    if not channel.is_overlapped:  # an I/O holds the whole channel from command to status
        parts = [_Station("channel", sum(part.service_ms for part in parts), channel.variability)]
    slowest = max(parts, key=lambda station: station.service_ms)
    return slowest, max(_unloaded_ms(channel, load, distance_km) - slowest.service_ms, 0.0)


def _parts(channel: Channel, load: Load) -> tuple[tuple[str, float, Side], ...]:
    return ("read", load.read_ratio, channel.read), ("write", 1 - load.read_ratio, channel.write)


def _port(channel: Channel, load: Load) -> _Station:
    service_ms = sum(share * side.port_ms for _, share, side in _parts(channel, load))
    return _Station("port", service_ms, channel.variability)


def _links(channel: Channel, load: Load, distance_km: float) -> list[_Station]:
    """One station for both directions, or one per direction of a duplex link."""
    times = {
        name: (share, share * load.block_bytes / link_bytes_rate(channel, side, distance_km) * 1e3)
        for name, share, side in _parts(channel, load)
        if share > 0
    }
    if not channel.is_duplex:
        return [_Station("link", sum(ms for _, ms in times.values()), channel.variability)]
    return [_Station(f"{n} link", ms, _thinned(channel.variability, share)) for n, (share, ms) in times.items()]


def _thinned(variability: float, share: float) -> float:
    """Squared coefficient of variation of a demand that only I/Os in this direction have (probability `share`)."""
    return min((1 + variability) / share - 1, 1.0)


def _unloaded_ms(channel: Channel, load: Load, distance_km: float) -> float:
    """Response of a single request: measured latency, slower link by distance, round trips of the protocol."""
    near_ms = sum(share * side.latency_ms(load.block_bytes) for _, share, side in _parts(channel, load))
    slower = sum(
        share * (1 / link_bytes_rate(channel, side, distance_km) - 1 / side.link_bytes_rate)
        for _, share, side in _parts(channel, load)
    )
    return near_ms + slower * load.block_bytes * 1e3 + channel.round_trips * 2 * LIGHT_MS_PER_KM * distance_km


def _check(channel: Channel, load: Load, channels: int, distance_km: float) -> None:
    insist(load, "tasks volumes exposures", lambda v: v >= 1, "be at least 1")
    if channels < 1:
        raise RequestError(f"channels = {channels} must be at least 1")
    insist(load, "block_bytes", lambda v: 0 < v < math.inf, "be positive")
    insist(load, "read_ratio", lambda v: 0 <= v <= 1, "lie between 0 and 1")
    if not 0 <= distance_km <= channel.distance_max_km:
        raise RequestError(
            f"distance_km = {distance_km} is outside 0 to {channel.distance_max_km:g}, the reach of {channel.name}"
        )
