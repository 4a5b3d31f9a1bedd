"""A fourth book, made up: as few files as a book can have, in its own words, in no folder."""

from typing import Any

SOURCE = "Sump Quarrels, made up for a test"
BOOK = "sump_quarrels"

_TWELVE = (
    ("movement", "M", "inches"),
    ("weapon_skill", "WS", "target_number"),
    ("ballistic_skill", "BS", "target_number"),
    ("strength", "S", "number"),
    ("toughness", "T", "number"),
    ("wounds", "W", "number"),
    ("initiative", "I", "target_number"),
    ("attacks", "A", "number"),
    ("leadership", "Ld", "target_number"),
    ("cool", "Cl", "target_number"),
    ("willpower", "Wil", "target_number"),
    ("intelligence", "Int", "target_number"),
)


def _knob(name: str, *choices: str) -> dict[str, Any]:
    return {
        "name": name,
        "choices": list(choices),
        "printed": choices[0],
        "about": name,
        "section": "everything",
    }


def files() -> dict[str, dict[str, Any]]:
    """The book's files, as TOML gives them. No experience, no falls and no traits: a book need not have them."""
    sections = (
        "everything", "wound_roll", "save_roll", "inflict_damage", "injury_dice", "lasting_injury_table",
        "experience",
    )  # fmt: skip
    return {
        "book": {
            "source": SOURCE,
            "id": BOOK,
            "edition": 1,
            "title": "Sump Quarrels",
            "sections": {name: f"Sump Quarrels · {name.replace('_', ' ').title()}" for name in sections},
        },
        "characteristics": {
            "source": SOURCE,
            "characteristic": [
                {
                    "id": name,
                    "short": short,
                    "kind": kind,
                    "best": 1 if kind == "target_number" else 20,
                    "worst": 20 if kind == "target_number" else 0,
                }
                for name, short, kind in _TWELVE
            ],
        },
        "dice": {
            "source": SOURCE,
            "die": [
                {
                    "name": "injury",
                    "variant": "grim",
                    "symbols": ["flesh_wound"] + ["out_of_action"] * 5,
                }
            ],
            "purpose": [
                {"name": "wound", "die": "D6", "about": "wound roll"},
                {"name": "save", "die": "D6", "about": "save roll"},
                {"name": "injury", "die": "injury", "about": "Injury die"},
                {"name": "lasting_injury", "die": "D66", "about": "what is left"},
                {"name": "sulk", "die": "D3", "about": "what sulking teaches"},
            ],
        },
        "wound_roll": {
            "source": SOURCE,
            "row": [
                {"strength": name, "name": name, "needs": needs}
                for name, needs in (("twice", 2), ("half", 6), ("greater", 3), ("equal", 4), ("lower", 5))
            ],
        },
        "experience": {
            "source": SOURCE,
            "serious_injury": 0,
            "out_of_action": 5,
            "rank_bonus": 0,
            "ranks_with_bonus": [],
        },
        "knobs": {
            "source": SOURCE,
            "knob": [
                _knob("lasting_injuries.rolls", "once", "each_out_of_action"),
                _knob("lasting_injuries.below_minimum", "each_characteristic_alone", "recovery_only"),
                _knob("injury_dice.further_serious_injury", "nothing", "flesh_wound"),
                _knob("damage.at_zero_wounds", "one_die", "die_per_point"),
            ],
        },
        "lasting_injuries": {
            "source": SOURCE,
            "id": "lasting_injuries",
            "title": "What Is Left",
            "roll": "D66",
            "default_row": "sulks",
            "row": [
                {
                    "cells": "11-33",
                    "id": "sulks",
                    "name": "Sulks",
                    "effects": [
                        {"kind": "convalescence"},
                        {"kind": "experience", "dice": "D3", "purpose": "sulk"},
                    ],
                },
                {
                    "cells": "34-66",
                    "id": "lost_nerve",
                    "name": "Lost Nerve",
                    "counts_as_default_when": [{"kind": "suffered_before"}],
                    "effects": [
                        {"kind": "recovery"},
                        {"kind": "reduce", "characteristic": "cool", "by": 3},
                    ],
                },
            ],
        },
    }
