"""Routes requests to the cell of their campaign, and lets them wait while the campaign moves."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Final, Protocol, TypeVar

from tracker.log.refusals import DatabaseUnreachable
from tracker.server.threads import Threads
from tracker.service.application import Tracker
from tracker.service.cells import CellDirectory
from tracker.service.fences import CampaignHeld, CampaignMoved

HELD_SECONDS: Final = 10.0
"""The seconds that a request waits for a campaign that is being moved."""
AGAIN_SECONDS: Final = 0.25
MOVES_MOST: Final = 3

Answer = TypeVar("Answer")


class RunInThread(Protocol):
    """Runs work in a thread."""

    def __call__(self, work: Callable[[], Answer]) -> Awaitable[Answer]: ...


async def routed(
    cells: CellDirectory[Tracker],
    threads: Threads,
    campaign: str | None,
    run: RunInThread,
    work: Callable[[Tracker], Answer],
    *,
    seen: int | None = None,
) -> Answer:
    """The answer of the cell that keeps the campaign; asks again if the campaign moved meanwhile.

    `seen`: the reader needs only boards and has seen this many events, so a standby may answer. Raises
    CampaignHeld, CampaignMoved, CellDown.
    """
    waited, moves = 0.0, 0
    while True:

        def keeper() -> Tracker:
            if campaign is None or seen is None:
                return cells.keeping(campaign)
            return cells.reading(campaign, seen)

        try:
            opened = await threads.read(keeper)
            return await run(lambda opened=opened: work(opened))  # type: ignore[misc]
        except DatabaseUnreachable as lost:
            down = await threads.read(lambda: cells.lost(campaign))
            raise down or lost from lost
        except CampaignHeld:
            if waited >= HELD_SECONDS:
                raise
            await asyncio.sleep(AGAIN_SECONDS)
            waited += AGAIN_SECONDS
        except CampaignMoved:
            moves += 1
            if moves > MOVES_MOST or campaign is None:
                raise
            await threads.read(lambda: cells.settle(str(campaign)))
