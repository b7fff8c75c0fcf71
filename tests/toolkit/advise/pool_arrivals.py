"""Random arrivals at volumes that share a pool of aliases, event by event."""

import heapq
import random
from collections import deque


def arrivals(seed: int, volumes: int, aliases: int, rate: float, *, constant: bool) -> tuple[float, float]:
    """Event simulation of random arrivals at volumes with a pool: aliases in use at least, and the mean queue."""
    chance, span = random.Random(seed), 4000.0
    took = (lambda: 1.0) if constant else (lambda: chance.expovariate(1.0))
    events: list[tuple[float, int, int]] = [(0.0, 0, -1)]
    busy, bases, free, queue = [0] * volumes, [False] * volumes, aliases, deque[int]()
    last, waited, inside = 0.0, 0.0, [0.0] * volumes
    while events[0][0] < span:
        now, kind, which = heapq.heappop(events)
        waited += len(queue) * (now - last)
        inside = [i + b * (now - last) for i, b in zip(inside, busy, strict=True)]
        last, starts = now, []
        if kind == 0:
            heapq.heappush(events, (now + chance.expovariate(rate), 0, -1))
            which = chance.randrange(volumes)
            starts = [(1, which)] if not bases[which] else [(2, which)] if free else []
            queue.extend([] if starts else [which])
        else:
            busy[which] -= 1
            bases[which], free = (False, free) if kind == 1 else (bases[which], free + 1)
            waiting = which if kind == 1 and which in queue else queue[0] if kind == 2 and queue else None
            if waiting is not None:
                queue.remove(waiting)
                starts = [(kind, waiting)]
        for how, volume_of in starts:
            busy[volume_of] += 1
            bases[volume_of], free = (True, free) if how == 1 else (bases[volume_of], free - 1)
            heapq.heappush(events, (now + took(), how, volume_of))
    return sum(max(i / last - 1, 0) for i in inside), waited / last
