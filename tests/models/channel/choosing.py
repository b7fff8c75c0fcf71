"""Several channels by event simulation: each I/O chooses one as it starts and queues there.

    python -m tests.models.channel.choosing

prints how far the formula of `iosq.models.channel.several` is from it over a sweep of loads (half a minute).
"""

import heapq
from collections import deque
from collections.abc import Callable
from itertools import product

import numpy as np

from iosq.models.channel import several

IOS = 10_000
Choice = Callable[[list[int], int], int]


def fewest(inside: list[int], turn: int) -> int:
    """The channel with the fewest I/Os, of equal ones the next in turn."""
    count = len(inside)
    return min(range(count), key=lambda at: (inside[at], (at - turn) % count))


def first_idle(inside: list[int], turn: int) -> int:
    """The next in turn that has nothing to do; if all are busy, the next in turn."""
    count = len(inside)
    return next((at % count for at in range(turn, turn + count) if not inside[at % count]), turn)


def in_turn(inside: list[int], turn: int) -> int:
    """Round and round."""
    return turn


def simulated(requests: int, delay_ms: float, variability: float, channels: int, choose: Choice) -> float:
    """Requests per ms with a service time of 1 ms; an event list, and a queue for each channel."""
    rng = np.random.default_rng(7)
    outside = iter(rng.exponential(delay_ms, IOS + requests))
    services = iter(rng.gamma(1 / variability, variability, IOS + requests))
    inside, queues, turn, done = [0] * channels, [deque[float]() for _ in range(channels)], 0, 0
    events = [(next(outside), number, -1) for number in range(requests)]
    heapq.heapify(events)
    while done < IOS:
        now, number, at = heapq.heappop(events)
        if at < 0:
            at = choose(inside, turn)
            turn, inside[at] = (at + 1) % channels, inside[at] + 1
            queues[at].append(next(services))
            start = inside[at] == 1
        else:
            done, inside[at] = done + 1, inside[at] - 1
            heapq.heappush(events, (now + next(outside), number, -1))
            start = inside[at] > 0
        if start:
            heapq.heappush(events, (now + queues[at].popleft(), number, at))
    return done / now


def main() -> None:
    """Errors of the formula and of an even split of the requesters, by how a channel is chosen."""
    loads = [*product((2, 4, 8), (0.5, 1, 1.5, 2, 3, 6), (0.5, 2.0, 5.0), (1 / 16, 0.25, 1.0))]
    ways = {"fewest I/Os": fewest, "first idle, else in turn": first_idle, "in turn": in_turn}
    print(f"{len(loads)} loads of 2, 4 and 8 channels, error of the rate in percent: mean and extremes")
    for name, choose in ways.items():
        errors = np.array([_errors(*load, choose) for load in loads])
        for what, column in zip(("formula", "even split"), errors.T, strict=True):
            mean, low, high = np.abs(column).mean(), column.min(), column.max()
            print(f"{name:25} {what:11} {mean:4.1f} {low:+6.1f} {high:+6.1f}")


def _errors(channels: int, each: float, delay_ms: float, variability: float, choose: Choice) -> tuple[float, float]:
    requests = max(1, round(channels * each))
    true = simulated(requests, delay_ms, variability, channels, choose)
    apart = several.apart(requests, delay_ms, 1.0, variability, channels)
    found = several.throughput(requests, delay_ms, 1.0, variability, channels)
    return 100 * (found / true - 1), 100 * (apart / true - 1)


if __name__ == "__main__":
    main()
