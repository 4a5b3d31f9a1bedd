"""The battles of a campaign, and one battle: its story, and every exchange with its dice."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tracker.reports.names import Names
from tracker.server.pages.asking import Asking
from tracker.server.pages.forms import Filled, See
from tracker.server.pages.rolls import Rolls
from tracker.server.pages.words import here, names_of


def battles(asking: Asking) -> Mapping[str, Any]:
    """All of them, the newest first."""
    rows = asking.data("battle list")["battles"]
    return {"battles": list(reversed(rows)), "names": names_of(asking)}


def battle(asking: Asking) -> Mapping[str, Any]:
    """One of them."""
    shown = asking.data("battle show", battle=asking.path["battle"])
    names: Names = names_of(asking)
    return {
        "shown": shown,
        "names": names,
        "rolls": Rolls.of(asking),
        "pending": {depends["event"] for depends in shown["resting"]},
    }


def confirm(asking: Asking, filled: Filled) -> See:
    """A second person saw a die fall."""
    address = asking.path["event"]
    assert asking.caller is not None, "who writes is signed in"
    asking.do(
        "log confirm", sending=filled.sending(asking.caller.actor), event=address, by=asking.caller.actor
    )
    back = filled.get("back")
    if not back.startswith(here(asking, "/")):  # nobody is sent elsewhere
        back = here(asking, f"/log/{address.partition('.')[0]}")
    return See(f"{back}#e{address}")
