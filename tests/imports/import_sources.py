"""Sources of this project's own making, in the formats of other tools."""

import io
import json
import zipfile
from typing import Any

NUMBERS = {
    "m": 5,
    "ws": 4,
    "bs": 4,
    "s": 3,
    "t": 3,
    "w": 1,
    "i": 4,
    "a": 1,
    "ld": 7,
    "cl": 7,
    "wil": 7,
    "int": 7,
}


def ganger(name: str = "Grit", kind: str = "Bruiser", **more: Any) -> dict[str, Any]:
    """A fighter as YakTribe writes one."""
    return {
        "ganger_id": "1", "label_id": "", "name": name, "type": kind, **NUMBERS, "cost": 60, "xp": 2, "kills": 0,
        "advance_count": 0, "equipment": [], "skills": [], "injuries": [], "image": None, "status": "Alive",
        "notes": "", "datetime_added": "2026-01-01 10:00:00", "datetime_updated": "2026-01-02 10:00:00",
    } | more  # fmt: skip


def yaktribe(*gangers: dict[str, Any], **more: Any) -> dict[str, Any]:
    """A gang as the site gives it: around it `gang`, its own numbers as text."""
    return {
        "gang": {
            "gang_id": "9", "gang_name": "Rust &amp; Ruin", "gang_type": "House Goliath", "credits": "45",
            "reputation": "6", "campaign": "Sump Season", "territories": [], "stash": [],
            "gangers": list(gangers) or [ganger()],
        } | more
    }  # fmt: skip


PRIEST = {
    "id": "a", "name": "Heretic Priest", "customName": "Mother Mayhem", "entryId": "x::y", "number": 1, "type": "model",
    "costs": [{"name": "Ducats", "typeId": "d", "value": 80}, {"name": "Glory Points", "typeId": "g", "value": 0}],
    "categories": [
        {"id": "1", "entryId": "1", "name": "Elite", "primary": True},
        {"id": "2", "entryId": "2", "name": "Tough", "primary": False},
        {"id": "3", "entryId": "3", "name": "Heretic", "primary": False},
    ],
    "rules": [{"id": "r", "name": "Leader", "hidden": False, "description": "Prose that nobody keeps."}],
    "profiles": [
        {
            "id": "p", "name": "Heretic Priest", "typeId": "t", "typeName": "Unit",
            "characteristics": [
                {"name": "Movement", "typeId": "m", "$text": '6"/Infantry'},
                {"name": "Ranged", "typeId": "r", "$text": "+2 Dice"},
                {"name": "Melee", "typeId": "e", "$text": "N/A"},
                {"name": "Armour", "typeId": "a", "$text": "-1"},
                {"name": "Base", "typeId": "b", "$text": "32mm"},
            ],
        }
    ],
    "selections": [
        {
            "id": "w", "name": "Submachine Gun", "entryId": "w", "number": 1, "type": "upgrade", "group": "Ranged Weapons",
            "costs": [{"name": "Ducats", "typeId": "d", "value": 30}],
            "profiles": [
                {
                    "id": "wp", "name": "Submachine Gun", "typeId": "wt", "typeName": "Weapon",
                    "characteristics": [
                        {"name": "Range", "typeId": "wr", "$text": '16"'},
                        {"name": "Rules", "typeId": "wu", "$text": "More prose."},
                    ],
                }
            ],
        },
        {"id": "x", "name": "Experience", "entryId": "xp", "number": 3, "type": "upgrade"},
        {"id": "i", "name": "Leg Wound [31]", "entryId": "lw", "number": 1, "type": "upgrade", "group": "Injuries"},
        {
            "id": "s", "name": "Melee Proficiency [7]", "entryId": "mp", "number": 1, "type": "upgrade",
            "group": "Advancements",
        },
    ],
}  # fmt: skip


def roster(
    *selections: dict[str, Any], game: str = "Trench Crusade", limit: int | None = None
) -> dict[str, Any]:
    """A roster as New Recruit writes it."""
    costs = [{"name": "Ducats", "typeId": "d", "value": 110}]
    return {
        "roster": {
            "id": "z", "name": "Веселі імбіцили", "battleScribeVersion": 2.03, "gameSystemName": game, "costs": costs,
            "costLimits": [{"name": "Ducats", "typeId": "d", "value": limit}] if limit is not None else [],
            "forces": [
                {
                    "id": "f", "name": "Warband", "catalogueName": "Heretic Legion", "entryId": "e",
                    "selections": list(selections) or [PRIEST],
                }
            ],
        }
    }  # fmt: skip


ROSTER_XML = """\
<?xml version="1.0" encoding="UTF-8"?>
<roster id="z" name="The Wrecked" gameSystemName="Trench Crusade" xmlns="http://www.battlescribe.net/schema/rosterSchema">
<costs><cost name="Ducats" typeId="d" value="57"/></costs>
<forces><force id="f" name="Warband" catalogueName="Heretic Legion"><selections>
<selection id="u" name="Squad" type="unit" number="1"><selections>
<selection id="a" name="Heretic Trooper" type="model" number="2">
<profiles><profile id="p" name="Heretic Trooper" typeId="t" typeName="Unit"><characteristics>
<characteristic name="Movement" typeId="m">6"/Infantry</characteristic>
<characteristic name="Ranged" typeId="r">0</characteristic>
<characteristic name="Melee" typeId="e">-1 Dice</characteristic>
<characteristic name="Armour" typeId="b">0</characteristic>
</characteristics></profile></profiles>
<costs><cost name="Ducats" typeId="d" value="30"/></costs>
<categories><category id="c" name="Troop" primary="true"/></categories>
</selection></selections></selection>
</selections></force></forces></roster>
"""

EXPORT = {
    "warband-id": 1, "warband-url": "https://example.org/1", "warband-name": "Wreckers", "ducat-bank": 7,
    "glory-bank": 2, "ducat-rating": 119, "glory-rating": 0,
    "models": [
        {
            "model-name": "Heretic Priest", "model-id": "md_hereticpriest", "name": "Mayhem", "stat-move": '6"/Infantry',
            "stat-melee": "+2", "stat-ranged": "0", "stat-armour": "-1", "cost": {"ducats": 119, "glory": 0},
            "equipment": [
                {"equipment-name": "Trench Shield", "equipment-id": "eq_trenchshield", "equipment-type": "shield"}
            ],
            "abilities": [{"ability-name": "Puppet Master", "ability-id": "ab_puppetmaster"}],
            "upgrades": [], "advancements": [], "injuries": [{"injury-name": "Leg Wound", "injury-id": "in_legwound"}],
            "keywords": [
                {"keyword-name": "ELITE", "keyword-id": "kw_elite"}, {"keyword-name": "TOUGH", "keyword-id": "kw_tough"}
            ],
        }
    ],
}  # fmt: skip

SHARE = {
    "warband_id": 1,
    "warband_data": json.dumps(
        {
            "name": "Wreckers",
            "faction_property": {"object_id": "fc_hereticlegion"},
            "context": {
                "victory_points": 4, "campaign_round": 4, "failed_promotions": 2,
                "stored_ratings": {"spare_ducat": 12, "spare_glory": 1},
            },
            "exploration": {"explorationskills": [], "locations": ["Old Mine"]},
            "ducat_bank": 700,
            "glory_bank": 3,
            "models": [
                {
                    "model": {
                        "name": "Mayhem", "model": "md_hereticpriest", "active": True, "experience": 5, "elite": True,
                        "recruited": True, "scar_reserves": 1, "list_injury": ["Leg Wound"], "list_skills": [],
                        "list_upgrades": [], "notes": "limps",
                    },
                    "purchase": {"cost": 80, "cost_type": 0},
                }
            ],
        }
    ),
}  # fmt: skip

TABLE = """\
gang;Name;Rank;M;WS;BS;S;T;W;I;A;Ld;Cl;Wil;Int;cost;xp;skills;weapons;injuries;kills;shoe size
Rust Dogs;Brakka;leader;5;3;4;4;4;2;4;3;6;5;8;7;190;4;Bull Charge;maul; hobbled ;5;44
Rust Dogs;Yol;ganger;5;4;4;3;3;1;4;1;7;7;7;7;60;0;;stub gun; stub gun;;
"""


def zipped(*members: tuple[str, bytes]) -> bytes:
    """An archive of these files."""
    written = io.BytesIO()
    with zipfile.ZipFile(written, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members:
            archive.writestr(name, content)
    return written.getvalue()
