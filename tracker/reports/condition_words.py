"""Words for the conditions of a model in a battle, as boards, cards and judgements say them."""

from __future__ import annotations

from typing import Final

CONDITIONS: Final = {
    "blaze": "on fire",
    "blind": "Blind",
    "insane": "Insane",
    "concussed": "Concussed",
    "gunked": "Gunked",
    "hidden": "Hidden",
    "disarmed": "disarmed",
}
"""By the field's name; few models have any of these."""
