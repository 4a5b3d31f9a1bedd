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
        "archives", "audit", "audit_dice", "forged_archives", "damaged_boards", "doctor", "drafts", "members", "proposals",
        "pending", "provable_dice", "rulings", "host_stats", "signed_heads", "verdicts", "explain", "host_replay",
    )
)  # fmt: skip
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
        ("tracker/service/**/*.py",), (*SERVICE, *COMMANDS), ("tests/log/test_*.py", "tests/server/test_*.py")
    ),
    "server": Part(("tracker/server/**/*.py",), ("tests/server/test_*.py",)),
    "rights": Part(
        ("tracker/rights.py",),
        ("tests/server/test_server_rights.py", "tests/cli/test_cli_rights.py"),
        ("tests/server/test_*.py",),
    ),
}
