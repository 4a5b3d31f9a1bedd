"""The chapters, in the order in which they are played."""

from __future__ import annotations

from . import (
    beside,
    cold,
    crashes,
    damaging,
    doors,
    faults,
    forging,
    holes,
    keeping,
    power_cut,
    quarrels,
    races,
    replay,
    rewriting,
    shown,
    strangers,
    tampering,
)
from .runner import Chapter

CHAPTERS = {
    chapter.name: chapter
    for chapter in (
        Chapter(
            "crash-sqlite",
            "a writer is killed while it appends",
            crashes.sqlite,
            few=40,
            many=20_000,
            share=8,
        ),
        Chapter(
            "crash-postgres",
            "a server is killed while it appends",
            crashes.postgres,
            few=3,
            many=500,
            share=6,
        ),
        Chapter(
            "answers-lost", "a command is sent again", crashes.answers_lost, few=40, many=20_000, share=2
        ),
        Chapter("power-cut", "the power goes after any write", power_cut.ours, few=1, many=400, share=8),
        Chapter("faults", "a system call fails, or kills", faults.system_calls, few=6, many=5_000, share=8),
        Chapter(
            "not-shown",
            "an answer cannot be shown",
            shown.answers_not_shown,
            few=4,
            many=10_000,
            share=4,
        ),
        Chapter("races-sqlite", "eight writers on one file", races.sqlite, few=1, many=400, share=3),
        Chapter("races-postgres", "eight writers on one campaign", races.postgres, few=1, many=400, share=3),
        Chapter("beside-sqlite", "checks and pages beside writers", beside.sqlite, few=1, many=400, share=3),
        Chapter("beside-postgres", "the same on PostgreSQL", beside.postgres, few=1, many=400, share=3),
        Chapter(
            "cold-threads",
            "threads begin at once in a fresh process",
            cold.threads,
            few=10,
            many=5_000,
            share=2,
        ),
        Chapter("tampering", "the log is edited", tampering.edits, few=30, many=200_000, share=6),
        Chapter(
            "quarrels",
            "disputes and rulings, against a naive model",
            quarrels.seasons,
            few=3,
            many=2_500,
            share=78,
        ),
        Chapter(
            "commands", "a command's key is edited", tampering.command_rows, few=15, many=20_000, share=2
        ),
        Chapter("flips", "a bit of the file is flipped", tampering.flips, few=25, many=50_000, share=3),
        Chapter("boards", "a board is edited", tampering.boards, few=12, many=20_000, share=3),
        Chapter(
            "damage",
            "everything but the log is damaged",
            damaging.everything_but_the_log,
            few=15,
            many=20_000,
            share=5,
        ),
        Chapter("snapshots", "a snapshot is edited", tampering.snapshots, few=6, many=20_000, share=1),
        Chapter("rewritten", "the log is written anew", rewriting.rewritten, few=12, many=20_000, share=2),
        Chapter("holes-sqlite", "an index has holes", holes.sqlite, few=8, many=5_000, share=2),
        Chapter("holes-postgres", "an index slept", holes.postgres, few=3, many=500, share=2),
        Chapter("strangers-sqlite", "somebody else's triggers", strangers.sqlite, few=6, many=5_000, share=2),
        Chapter(
            "strangers-postgres",
            "somebody else's triggers and rules",
            strangers.postgres,
            few=6,
            many=1_000,
            share=2,
        ),
        Chapter("forged", "what nothing decided is sealed", forging.forged, few=30, many=100_000, share=8),
        Chapter("elsewhere", "a log is read elsewhere", replay.elsewhere, few=2, many=1_000, share=4),
        Chapter("wild-clocks", "clocks run wild", replay.wild_clocks, few=3, many=5_000, share=2),
        Chapter("backups", "copies under load", keeping.backups, few=2, many=100, share=2),
        Chapter("upgrades", "an upgrade breaks off", keeping.upgrades, few=4, many=1_000, share=2),
        Chapter(
            "upgrades-postgres",
            "one breaks off on PostgreSQL",
            keeping.upgrades_on_postgres,
            few=3,
            many=500,
            share=2,
        ),
        Chapter("full-disks", "a disk fills up", keeping.full_disks, few=3, many=2_000, share=2),
        Chapter("read-only", "a disk may not be written", keeping.read_only, few=1, many=200, share=1),
        Chapter(
            "arguments",
            "any command line",
            doors.arguments,
            few=40,
            many=500_000,
            share=5,
            together=doors.EVERY,
        ),
        Chapter("files", "any file", doors.files, few=20, many=500_000, share=5, together=doors.EVERY),
        Chapter("hostile", "any file made to take long", doors.hostile, few=12, many=20_000, share=2),
    )
}
