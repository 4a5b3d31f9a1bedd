"""The parts of the program that faults are put into, and the tests that must notice."""

from __future__ import annotations

from .trying import Part

RULINGS = (
    "tests/campaign/test_convergence.py",
    "tests/campaign/test_entry_parts.py",
    "tests/campaign/test_rulings*.py",
    "tests/cli/test_cli_preview_contents.py",
)
SERVICE = ("tests/service/test_*.py", "tests/test_service.py")
# The command line is where most of the service is tried.
COMMANDS = tuple(
    f"tests/cli/test_cli_{name}.py"
    for name in (
        "amend", "archives", "audit", "audit_dice", "battle_continued", "battle_struck_out", "damaged_boards", "doctor",
        "drafts", "explain", "forged_archives", "host_replay", "host_stats", "members", "paste_ready", "pending",
        "policies_in_time", "proposals", "provable_dice", "rulings", "signed_heads", "verdicts",
    )
)  # fmt: skip
# Over HTTP: nobody else sends what the service posts.
POSTED = ("tests/server/test_server_webhooks.py",)
SIGNED = ("tests/cli/test_cli_signed_heads.py", "tests/cli/test_cli_verdicts.py")

PARTS = {
    "log": Part(("tracker/log/**/*.py",), ("tests/log/test_*.py",), (*SERVICE, *SIGNED)),
    "projections": Part(
        ("tracker/projections/**/*.py",),
        ("tests/projections/test_*.py", "tests/log/test_boards_shape.py"),
        (*SERVICE, "tests/server/test_*.py"),
    ),
    "rulings": Part(("tracker/campaign/rulings/*.py",), RULINGS, (*SERVICE, "tests/server/test_*.py")),
    "service": Part(
        ("tracker/service/**/*.py",),
        (*SERVICE, *COMMANDS, *POSTED),
        ("tests/log/test_*.py", "tests/server/test_*.py"),
    ),
    "server": Part(("tracker/server/**/*.py",), ("tests/server/test_*.py",)),
    "rights": Part(
        ("tracker/rights.py",),
        ("tests/server/test_server_rights.py", "tests/cli/test_cli_rights.py"),
        ("tests/server/test_*.py",),
    ),
}
