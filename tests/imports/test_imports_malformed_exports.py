"""Thirty nasty exports, five of each format and like no other here: no value of them goes silently."""

import copy
import json
import re
from collections.abc import Iterator
from typing import Any

import import_sources as sources
import necromunda_roster as kings
from tables import every

from tracker.documents.nodes import Path, path_in_words
from tracker.imports import trench_companion
from tracker.imports.answers import Answers
from tracker.imports.findings import Finding
from tracker.imports.importing import imported_data
from tracker.imports.source_files import data_of

YAKTRIBE: list[Any] = [
    # numbers as floats/strings, nested equipment with upgrades, injuries as maps with dates
    {
        "gang": {
            "gang_name": "  \u202eRats  & <b>Co</b> ",
            "gang_type": None,
            "credits": "-20",
            "reputation": "many",
            "gangers": [
                sources.ganger(
                    "",
                    "",
                    xp="3.0",
                    kills="two",
                    cost="60.5",
                    ws="3+",
                    bs="N/A",
                    injuries=[
                        {"name": "Hobbled", "date": "x", "notes": "twice"},
                        {"title": "hobbled"},
                        "Hobbled (2)",
                    ],
                    equipment=[
                        {"name": "Gun", "qty": "0", "upgrades": [{"name": "scope", "qty": 1}]},
                        {"equipment_name": "Knife", "quantity": 3},
                        None,
                        "Rope",
                        7,
                    ],
                    skills=[{"name": "Nerves", "cost": 5}, None, 3],
                    status="Captured by Orlocks",
                    notes="Eye Injury; Humiliated",
                ),
                sources.ganger("A" * 200, "Ganger (Specialist)", status="Sold", xp=None, advance_count="-1"),
            ],
            "vehicles": [{"name": "Rig", "m": 6}],
            "hangers_on": [{"name": "Doc"}],
            "campaign_resources": {"Meat": 3},
            "alliance": "Water Guild",
            "stash": {"items": ["Gun"]},
            "territories": "Old Ruins, Mine",
        }
    },
    {"gang_name": "X", "gangers": []},
    {
        "gang": {
            "gang_name": ["list"],
            "gangers": [
                {
                    "name": {"first": "Al"},
                    "type": ["Boss"],
                    "cost": {"base": 10},
                    "xp": True,
                    "equipment": {"1": {"name": "Gun"}},
                    "skills": "Iron Jaw",
                    "injuries": "Hobbled",
                }
            ],
        },
        "campaign": {"week": 5},
        "meta": [1, 2],
    },
    {
        "gang": {
            "gang_name": "Dup",
            "gang_type": "Goliath",
            "gang_rating": "1e3",
            "gangers": [
                dict(sources.ganger("Twin"), m=0, ws=1, ld="12"),
                dict(sources.ganger("twin"), label="star", rating=5),
                dict(sources.ganger("TWIN"), gear=[{"name": "x"}]),
            ],
            "allegiance": {"name": "Guild"},
            "affiliation": ["A", "", {"name": "B", "rank": 2}],
        }
    },
    {
        "gang": {
            "gang_name": "Q",
            "gangers": [
                dict(
                    sources.ganger("N\nl", "T\tt"),
                    status="In Recovery, convalescing",
                    injuries=["", "  ", None, "Head Injury [6]"],
                    notes="line1\r\nline2",
                ),
                [],
                "str",
                None,
            ],
        }
    },
]


def new_recruit(i: int) -> Any:
    priest = copy.deepcopy(sources.PRIEST)
    if i == 0:
        priest["number"] = 3
        priest["costs"][0]["value"] = 100
        priest["costs"].append({"name": "Power", "value": 2})
        priest["extra"] = {"a": 1}
        return sources.roster(
            priest,
            {
                "name": "Patron: Lady Hex",
                "type": "upgrade",
                "group": "Patron",
                "selections": [{"name": "Favour", "number": 2}],
            },
        )
    if i == 1:
        priest["selections"].append({"name": "Promotion", "group": "Advancements", "number": 2})
        priest["selections"].append({"name": "Battle Scar", "group": "Scars", "number": 2})
        priest["selections"].append(
            {
                "name": "Glory item",
                "costs": [{"name": "Glory Points", "value": 3}],
                "selections": [{"name": "gem", "customName": "Eye"}],
            }
        )
        return sources.roster(priest, limit=50)
    if i == 2:
        r = sources.roster(
            {
                "name": "Unit",
                "type": "unit",
                "selections": [
                    copy.deepcopy(sources.PRIEST),
                    {
                        "name": "Pet",
                        "type": "model",
                        "number": "two",
                        "profiles": [
                            {
                                "typeName": "unit",
                                "characteristics": [
                                    {"name": "Movement", "$text": "fast"},
                                    {"name": "Wounds", "$text": "3"},
                                ],
                            }
                        ],
                    },
                ],
            }
        )
        r["roster"]["forces"].append(
            {
                "name": "Second",
                "catalogueName": "Other",
                "customName": "Allies",
                "forces": [{"name": "Inner", "selections": [{"name": "Loose", "number": 4}]}],
                "rules": [{"name": "gang", "description": "d"}],
            }
        )
        r["roster"]["tags"] = ["a"]
        return r
    if i == 3:
        priest["categories"] = [{"name": "Mercenary"}]
        priest["profiles"].append(
            {"name": "Second", "typeName": "Unit", "characteristics": [{"name": "Movement", "$text": '9"'}]}
        )
        priest["profiles"].append(
            {
                "name": "Claw",
                "typeName": "Weapon",
                "characteristics": [
                    {"name": "Range", "$text": "Melee"},
                    {"name": "Type", "$text": "1-handed"},
                    {"name": "Odd", "$text": "x"},
                ],
            }
        )
        return sources.roster(priest)
    r = sources.roster(
        {
            "name": "Pile of Stuff",
            "type": "model",
            "selections": [
                {
                    "name": "Sword",
                    "number": 3,
                    "costs": [{"name": "Ducats", "value": 10}],
                    "selections": [{"name": "rune", "number": 1}],
                },
                {"name": "Odd storage", "selections": [{"name": "Gem", "number": 0}]},
            ],
        },
        {"name": "Glory", "number": -2},
        {"name": "Exploration", "group": "Exploration Rewards", "customNotes": "note"},
    )
    r["roster"]["costLimits"] = [{"name": "Ducats", "value": -1}, {"name": "Glory", "value": 5}]
    return r


def trench_companion_export(i: int) -> Any:
    export = copy.deepcopy(sources.EXPORT)
    m = export["models"][0]
    if i == 0:
        m["cost"] = {"ducats": "eighty", "glory": 3}
        m["equipment"].append({"equipment-name": "Relic", "cost": {"glory": 2}, "notes": "shiny"})
        export["patron"] = "Lady Hex"
    if i == 1:
        export["models"] = [
            m,
            dict(
                copy.deepcopy(m),
                **{
                    "name": "",
                    "stat-move": "—",
                    "stat-armour": "-9",
                    "injuries": [{"injury-name": "Nothing Known"}],
                },
            ),
            None,
            7,
        ]
        export["fireteams"] = [{"name": "A", "models": [1, 2]}]
    if i == 2:
        m["advancements"] = [{"advancement-name": "Parry", "roll": 4}, "Dodge"]
        m["upgrades"] = [{"upgrade-name": "Wings", "cost": {"ducats": 20}}]
        export["stash"] = [{"equipment-name": "Gem"}]
        export["notes"] = "won big"
    if i == 3:
        m["keywords"] = "ELITE"
        m["abilities"] = {"a": {"ability-name": "X"}}
        export["ducat-bank"] = -5
        export["warband-name"] = None
    if i == 4:
        export["faction-name"] = "Iron Sultanate"
        export["exploration"] = {"locations": ["Mine"], "skills": ["Scout"]}
        m["experience"] = 6
        m["battle-scars"] = 2
    return export


def shared(i: int) -> Any:
    d = json.loads(sources.SHARE["warband_data"])
    m = d["models"][0]
    if i == 0:
        m["model"]["list_injury"] = ["in_legwound", {"name": "Hand Wound", "roll": 12}]
        m["model"]["list_skills"] = ["sk_parry", {"object_id": "sk_dodge"}]
        m["model"]["subproperties"] = {"x": [1]}
    if i == 1:
        d["armory"] = [{"object_id": "eq_gun", "purchase": {"cost": 5}}]
        m["purchase"] = {"cost": -3, "cost_type": 1}
        m["model"]["active"] = False
    if i == 2:
        d["context"]["campaign_round"] = 0
        d["context"]["notes"] = "hi"
        d["exploration"]["locations"] = [{"name": "X", "explored": True}, None]
    if i == 3:
        d["models"] = [m] * 3
        d["faction_property"] = {"object_id": "fc_x", "selections": [{"a": "b"}]}
        d["faction"] = {"patron_id": "pt_lady", "name": "q", "faction_property": {"object_id": "fc_z"}}
    if i == 4:
        m["model"]["equipment"] = [
            {
                "equipment": {"object_id": "eq_sword", "custom_name": "Biter"},
                "purchase": {"cost": 7, "cost_type": 0},
            }
        ]
        m["model"]["notes"] = {"a": 1}
        d["glory_bank"] = "x"
    return {"warband_id": 1, "warband_user_id": 99, "warband_data": json.dumps(d), "extra": {"k": "v"}}


HEAD = (
    "gang;name;category;type;M;WS;BS;S;T;W;I;A;Ld;Cl;Wil;Int;cost;xp;kills;injuries;flags;captive_of;notes\n"
)
TABLES = [
    HEAD + "A;Al;leader;Boss;x;0;3+;4;4;2;4+;-1;5;5;5;5;1,000;3.5;two;Hobbled|Eye Injury;Frenzy;rats;loud\n",
    HEAD
    + 'A;Al;;;;;;;;;;;;;;;;;;;;;\nB;Bo;boss;?;5";4+;4+;3;3;1;4+;1;7+;7+;7+;7+;60;1;;humiliated;; ;x\n;Cy;ganger;Hand;5;4;4;3;3;1;4;1;7;7;7;7;50;;;;;;\n',
    'Name,Rank,Points,Kit\n"Al, the Bold",Leader,100,"Gun; Rope"\n"Bo""x",juve,,\n',
    HEAD.replace("name", "NAME").replace("captive_of", "in_recovery")
    + "A;Al;hired gun;Boss;5;4;4;3;3;1;4;1;7;7;7;7;60;1;0;;;yes;\n",
    HEAD
    + "A;;leader;Boss;5;4;4;3;3;1;4;1;7;7;7;7;60;1;0;;;;orphan row\nA;Al;leader;Boss;5;4;4;3;3;1;4;1;7;7;7;7;60;1;0;Not Known;"
    + ";".join([""] * 2)
    + "\n",
]


def necromunda(i: int) -> Any:
    gang = copy.deepcopy(kings.ROSTER)
    f = gang["roster"]["forces"][0]
    b = f["selections"][1]
    if i == 0:
        b["profiles"].append(kings.profile("Model", "Second", **kings.NUMBERS))
        b["selections"].append(
            kings.chosen(
                "Mount", kings.chosen("Saddle", price=5), profiles=[kings.profile("Vehicle", "Bike", M='8"')]
            )
        )
    if i == 1:
        b["number"] = 2
        b["costs"][0]["value"] = 101.0
        b["categories"] = [{"name": "Champion (Specialist)"}]
        b["selections"].append(kings.chosen("Kills", number=4))
        b["selections"].append(kings.chosen("Dead"))
    if i == 2:
        f["selections"].append(kings.chosen("Alliance", kings.chosen("Water Guild")))
        f["selections"].append(kings.chosen("Reputation", number=5))
        f["forces"] = [{"name": "Hired", "selections": [kings.model("Gunn", "Scum", "Hive Scum")]}]
    if i == 3:
        b["profiles"][0]["characteristics"] = [
            {"name": k, "$text": v}
            for k, v in (
                ("M", "x"),
                ("WS", "3"),
                ("BS", "0"),
                ("S", "4"),
                ("T", "4"),
                ("W", "2"),
                ("I", "4+"),
                ("A", "2"),
                ("XP", "6"),
                ("Ld", "6"),
                ("Sv", "-"),
                ("Rating", "200"),
            )
        ]
        b["rules"][0]["notes"] = "z"
    if i == 4:
        b["selections"][1]["selections"][0]["profiles"][0]["characteristics"].append(
            {"name": "Notes", "$text": "loud"}
        )
        b["selections"][1]["customNotes"] = "keep dry"
        b["selections"].append({"name": "Humiliated", "number": 1, "type": "upgrade"})
        b["selections"].append({"name": "Lost Leg", "group": "Lasting Injuries"})
        b["costs"].append({"name": "Experience", "value": 4})
    return gang


FILES: dict[str, Any] = {
    **{f"yaktribe {at}": data for at, data in enumerate(YAKTRIBE)},
    **{f"new recruit {at}": new_recruit(at) for at in range(5)},
    **{f"necromunda roster {at}": necromunda(at) for at in range(5)},
    **{f"trench companion {at}": trench_companion_export(at) for at in range(5)},
    **{f"shared {at}": shared(at) for at in range(5)},
    **{f"table {at}": data_of(text.encode(), "t.csv") for at, text in enumerate(TABLES)},
}


def leaves(value: Any, path: Path = ()) -> Iterator[tuple[str, Any]]:
    members = (
        value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else None
    )
    if members is not None:
        for key, member in members:
            yield from leaves(member, (*path, key))
    elif value is not None and str(value).strip():
        yield path_in_words(path), value


def plain(text: object) -> str:
    """Letters and digits only, a whole number however it is written."""
    shown = re.sub(r"[^a-z0-9.]|dice", "", str(text).casefold())
    return shown.removesuffix(".0").replace(".", "")


@every("name", FILES)
def test_every_value_is_in_the_sheet_or_in_the_report_by_its_place(name: str) -> None:
    data = copy.deepcopy(FILES[name])
    data = trench_companion.opened(data) if trench_companion.is_trench_companion(data) else data
    came = imported_data(copy.deepcopy(data), name, Answers(player="Kim", injuries_counted=True))
    at: dict[str, list[Finding]] = {}
    for finding in came.findings:
        at.setdefault(finding.path, []).append(finding)
    assert [(place, value) for place, value in leaves(data) if place not in at] == []
    kept = {plain(value) for held in (came.sheet, came.armoury or {}) for _, value in leaves(held)}
    taken = [
        found
        for found in at.values()
        if all(finding.fate == "taken" and not finding.why for finding in found)
    ]
    facts = [
        finding for found in taken for finding in found if finding.fact != "0"
    ]  # a 0 is what a sheet leaves out
    assert [
        finding for finding in facts if not {plain(finding.fact), *map(plain, finding.fact.split(";"))} & kept
    ] == []
