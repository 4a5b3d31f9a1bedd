"""The most memory that a rebuild of all boards, verifying and the preview of an early ruling ever hold, each
in a process of its own.
"""

from __future__ import annotations

import os
import subprocess
import sys
from concurrent import futures

from bench.grown import Grown
from bench.measuring import Bar, Figure, Table, table

# The high-water mark of this process itself: `getrusage` remembers the parent's across a fork.
CHILD = """
import sys
from pathlib import Path
from tracker.campaign.evolve import fold_in_place
from tracker.campaign.records import LastingInjurySuffered, ResolveHit
from tracker.campaign.state import CampaignState
from tracker.service.application import Tracker
from tracker.service.ruling_request import RulingRequest
tracker = Tracker("sqlite:///" + sys.argv[2], actor="bench")
(campaign,) = tracker.repository.store.campaigns()
MISSED = RulingRequest(verdict="corrected", reason="cocked", faces="1")
def hit_at(percent):
    entries, hit = tracker.repository.store.head(campaign).entries, None
    for entry in range(entries * percent // 100 + 1, entries + 1):
        said = [recorded.event for recorded in tracker.repository.log.entry(campaign, entry)]
        if isinstance(said[0].command, ResolveHit):
            hit = f"{entry}.2"
            if LastingInjurySuffered in map(type, said):
                break  # somebody is another from then on: all that follows is decided again
    assert hit, "a campaign without a hit"
    return hit
def folded():
    fold_in_place(CampaignState(), tracker.repository.sealed.moving(campaign))
work = {
    "open": lambda: None,
    "rebuild": lambda: tracker.audit.rebuild_boards(campaign),
    "chain": lambda: tracker.repository.store.verify(campaign),
    "sealed": lambda: (tracker.audit.seal(campaign), folded()),
    "verify": lambda: tracker.audit.verify(campaign),
    "preview": lambda: tracker.rulings.preview(campaign, hit_at(1), MISSED),
}
work[sys.argv[1]]()
tracker.close()
for line in Path("/proc/self/status").read_text().splitlines():
    if line.startswith("VmHWM"):
        print(int(line.split()[1]) / 1024)
"""
TITLES = {
    "rebuild": "boards rebuilt",
    "chain": "chain verified",
    "sealed": "history sealed, and folded from segments",
    "verify": "everything verified",
    "preview": "a ruling at 1 % previewed",
}
LIMIT = "the bar: 300 MB"


def measure(grown: Grown, runs: int) -> list[Table]:
    """The table of this part."""
    del runs  # a high-water mark hardly differs between runs
    asked = {"a database opened": ("open", grown.middle)}
    bars = []
    for work, report in TITLES.items():
        short, long = (f"{report}, {events} events" for events in (grown.middle, grown.longest))
        asked |= {short: (work, grown.middle), long: (work, grown.longest)}
        bars += [Bar(of=long, against=LIMIT, at_most=1.0), Bar(of=long, against=short, at_most=1.2)]
    for events in (grown.middle, grown.longest):
        grown.season(events)
    # A neighbour disturbs no high-water mark.
    with futures.ThreadPoolExecutor(os.cpu_count()) as threads:
        peaks = threads.map(lambda of: _peak(grown, *of), asked.values())
    figures = [Figure(name=LIMIT, runs=(300.0,), unit="MB")]
    figures += [Figure(name=name, runs=(peak,), unit="MB") for name, peak in zip(asked, peaks, strict=True)]
    return [table("Peak memory, SQLite (one run each)", figures, against=LIMIT, bars=bars)]


def _peak(grown: Grown, work: str, events: int) -> float:
    file = grown.copied(events, f"memory-{work}-{events}.db")
    peak = float(anew(CHILD, work, str(file)))
    file.unlink()
    return peak


def anew(program: str, *words: str) -> str:
    """What it prints, run by a Python that is started for it."""
    done = subprocess.run([sys.executable, "-c", program, *words], check=True, capture_output=True, text=True)
    return done.stdout
