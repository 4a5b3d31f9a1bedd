"""The hall: play, rule, ask. The one storey that knows the clock, makes ids and rolls dice.

The doors use `Tracker`, which is entered only when it is asked for: who reads boards, by `reading`, needs no
chapter of the rules.
"""

import importlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tracker.service.application import *  # noqa: F403  # whatever the hall gives


def __getattr__(name: str) -> object:
    return getattr(importlib.import_module("tracker.service.application"), name)
