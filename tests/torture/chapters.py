"""The chapters, in the order in which they are played."""

from __future__ import annotations

from functools import partial

from . import (
    answering,
    asking,
    beside,
    cold,
    crashes,
    damaging,
    executors,
    extremes,
    faults,
    forging,
    holes,
    inputs,
    keeping,
    own_rows,
    power_cut,
    quarrels,
    races,
    replay,
    rewriting,
    serving,
    shown,
    signing,
    strangers,
    tampering,
    tapping,
    uploading,
    visiting,
)
from .extreme_pages import Pages
from .extremes import EVERY_EDIT, Commands, on_postgres, on_sqlite
from .runner import Chapter, Ended, played_to_the_end

# Name, what is tried, the play; rounds of a short and of a long run, and the share of a long run's time.
CHAPTERS = {
    chapter.name: chapter
    for chapter in (
        Chapter("crash-sqlite", "a writer is killed while it appends", crashes.sqlite, 8, 20_000, 8),
        Chapter("crash-postgres", "a server is killed while it appends", crashes.postgres, 1, 500, 6),
        Chapter("answers-lost", "a command is sent again", crashes.answers_lost, 40, 20_000, 2),
        Chapter("power-cut", "the power goes after any write", power_cut.ours, 1, 400, 8),
        Chapter("faults", "a system call fails, or kills", faults.system_calls, 1, 5_000, 8),
        Chapter("not-shown", "an answer cannot be shown", shown.answers_not_shown, 1, 10_000, 4),
        Chapter("races-sqlite", "eight writers on one file", races.sqlite, 1, 400, 3),
        Chapter("races-postgres", "eight writers on one campaign", races.postgres, 1, 400, 3),
        Chapter(
            "crowd-sqlite",
            "32 writers on one file: more than a test may",
            partial(races.sqlite, writers=races.CROWD),
            0,
            40,
            3,
        ),
        Chapter(
            "crowd-postgres",
            "32 writers on one campaign: more than a test may",
            partial(races.postgres, writers=races.CROWD),
            0,
            40,
            3,
        ),
        Chapter("beside-sqlite", "checks and pages beside writers", beside.sqlite, 1, 400, 3),
        Chapter("beside-postgres", "the same on PostgreSQL", beside.postgres, 1, 400, 3),
        Chapter("workers", "processes of the service are killed under load", serving.workers, 0, 200, 4),
        Chapter("battles", "a service is killed in a battle on the board", serving.battles, 0, 100, 4),
        Chapter("cells", "nodes of two cells are killed under load", serving.cells, 0, 100, 6),
        Chapter("executors", "executors and machines of Spark are killed", executors.executors, 0, 200, 4),
        Chapter("cold-threads", "threads begin at once in a fresh process", cold.threads, 1, 5_000, 2),
        Chapter("tampering", "the log is edited", tampering.edits, 30, 200_000, 6),
        Chapter("quarrels", "disputes and rulings, against a naive model", quarrels.seasons, 0, 2_500, 78),
        Chapter("commands", "a command's key is edited", tampering.command_rows, 6, 20_000, 2),
        Chapter("flips", "a bit of the file is flipped", tampering.flips, 10, 50_000, 3),
        Chapter("boards", "a board is edited", tampering.boards, 5, 20_000, 3),
        Chapter("damage", "everything but the log is damaged", damaging.everything_but_the_log, 4, 20_000, 5),
        *(
            Chapter(name, tells, extremes.chapter(engine, asked, each_row=each_row), few, EVERY_EDIT, 8)
            for name, tells, engine, asked, each_row, few in (
                (
                    "extremes",
                    "a value at its extreme, a row gone, doubled or swapped",
                    on_sqlite,
                    Commands,
                    False,
                    0,
                ),
                ("extremes-postgres", "the same on PostgreSQL", on_postgres, Commands, False, 0),
                (
                    "rows",
                    "each row gone, doubled or swapped, or with another's value",
                    on_sqlite,
                    Commands,
                    True,
                    1,
                ),
                ("rows-postgres", "the same on PostgreSQL", on_postgres, Commands, True, 0),
                ("pages", "pages over a value at its extreme", on_sqlite, Pages, False, 0),
                ("pages-postgres", "the same on PostgreSQL", on_postgres, Pages, False, 0),
                ("rows-pages", "pages over a row gone, doubled or swapped", on_sqlite, Pages, True, 0),
            )
        ),
        Chapter("snapshots", "a snapshot is edited", tampering.snapshots, 3, 20_000, 1),
        Chapter("rewritten", "the log is written anew", rewriting.rewritten, 6, 20_000, 2),
        Chapter("forgeries", "bits of heads and proofs are flipped", signing.forgeries, 1, 1_000, 4),
        Chapter("archives", "a bit of a signed archive is flipped", signing.spoiled_archives, 12, 20_000, 3),
        Chapter("tails", "a tail is written anew beside heads", signing.rewritten_tails, 1, 2_000, 2),
        Chapter("every-tail", "a tail from every position", signing.every_tail, 1, signing.EVERY_TAIL, 1),
        Chapter("holes-sqlite", "an index has holes", holes.sqlite, 4, 5_000, 2),
        Chapter("holes-postgres", "an index slept", holes.postgres, 1, 500, 2),
        Chapter("strangers-sqlite", "somebody else's triggers", strangers.sqlite, 4, 5_000, 2),
        Chapter("strangers-postgres", "somebody else's triggers and rules", strangers.postgres, 1, 1_000, 2),
        Chapter("forged", "what nothing decided is sealed", forging.forged, 4, 100_000, 8),
        Chapter("elsewhere", "a log is read elsewhere", replay.elsewhere, 1, 1_000, 4),
        Chapter("wild-clocks", "clocks run wild", replay.wild_clocks, 3, 5_000, 2),
        Chapter("backups", "copies under load", keeping.backups, 1, 100, 2),
        Chapter("upgrades", "an upgrade breaks off", keeping.upgrades, 2, 1_000, 2),
        Chapter("upgrades-postgres", "one breaks off on PostgreSQL", keeping.upgrades_on_postgres, 1, 500, 2),
        Chapter("full-disks", "a disk fills up", keeping.full_disks, 3, 2_000, 2),
        Chapter("read-only", "a disk may not be written", keeping.read_only, 1, 200, 1),
        Chapter("arguments", "any command line", inputs.arguments, 40, 500_000, 5, inputs.EVERY),
        Chapter("files", "any file", inputs.files, 20, 500_000, 5, inputs.EVERY),
        Chapter("own-rows", "any trait and skill of one's own", own_rows.own_rows, 3, 50_000, 2),
        Chapter("requests", "any request", asking.requests, 2, 100_000, 3, asking.EVERY),
        Chapter("visits", "any page and form", visiting.sqlite, 2, 100_000, 3, visiting.EVERY),
        Chapter("visits-postgres", "the same on PostgreSQL", visiting.postgres, 2, 50_000, 2),
        Chapter("player", "a player who taps whatever the board offers", tapping.player, 3, 5_000, 8),
        Chapter("wizard", "a person who answers the wizards at random", answering.wizard, 3, 5_000, 8),
        Chapter("pictures", "any picture for an emblem", uploading.pictures, 4, 20_000, 2),
        Chapter("hostile", "any file made to take long", inputs.hostile, 2, 20_000, 2),
    )
}


def played_by_name(name: str, seed: int, rounds: int, first: int, seconds: float | None) -> Ended:
    """Play a chapter in another process, which takes its name: how a chapter is played need not be sendable."""
    return played_to_the_end(CHAPTERS[name], seed, rounds, first, seconds)
