"""The parts of the program that faults are put into, and the tests that must notice."""

from __future__ import annotations

from .trying import Part

RULINGS = (
    "tests/campaign/test_convergence.py",
    "tests/campaign/test_entry_parts.py",
    "tests/campaign/test_rulings*.py",
)

PARTS = {
    "log": Part(("tracker/log/**/*.py",), ("tests/log/test_*.py",), ("tests/service/test_*.py", "tests/test_service.py")),
    "projections": Part(
        ("tracker/projections/**/*.py",),
        ("tests/projections/test_*.py", "tests/log/test_boards_shape.py"),
        ("tests/service/test_*.py", "tests/test_service.py", "tests/server/test_*.py"),
    ),
    "rulings": Part(
        ("tracker/campaign/rulings/*.py",), RULINGS, ("tests/service/test_*.py", "tests/test_service.py", "tests/server/test_*.py")
    ),
    "service": Part(
        ("tracker/service/**/*.py",),
        ("tests/service/test_*.py", "tests/test_service.py", "tests/cli/test_*.py"),
        ("tests/log/test_*.py", "tests/server/test_*.py"),
    ),
    "server": Part(("tracker/server/**/*.py",), ("tests/server/test_*.py",)),
    "rights": Part(("tracker/rights.py",), ("tests/server/test_server_rights.py", "tests/cli/test_cli_rights.py"), ("tests/server/test_*.py",)),
}
