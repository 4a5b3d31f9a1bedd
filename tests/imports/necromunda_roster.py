"""A made-up roster of Necromunda as BattleScribe writes one, with all that players' data files put into it."""

from typing import Any
from xml.sax.saxutils import escape, quoteattr

NUMBERS = {"M": '4"', "WS": "3+", "BS": "-", "S": "4", "T": "4", "W": "2", "I": "4+", "A": "2",
           "Ld": "6+", "Cl": "5+", "Wil": "8+", "Int": "8+", "Sv": "5+"}  # fmt: skip


def costs(price: int = 0) -> list[dict[str, Any]]:
    return [{"name": " Credits", "value": float(price)}] if price else []


def profile(kind: str, name: str, **written: str) -> dict[str, Any]:
    listed = [{"name": key, "$text": text} for key, text in written.items()]
    return {
        "name": name,
        "typeName": kind,
        "characteristics": listed,
    }


def chosen(
    name: str, *within: dict[str, Any], number: int = 1, price: int = 0, **more: Any
) -> dict[str, Any]:
    return {
        "name": name, "number": number, "type": "upgrade", "costs": costs(price), "selections": list(within),
    } | more  # fmt: skip


NAIL_GUN = profile("Weapon", "Nail gun", **{
    "Rng S": '8"', "Rng L": '24"', "Acc S": "+1", "Acc L": "-", "Str": "3", "AP": "-", "D": "1", "Ammo": "4+",
    "Traits": "Rapid Fire (1), Plentiful",
})  # fmt: skip
MAUL = profile("Weapon", "Great maul", **{
    "Rng S": "E", "Rng L": "E", "Acc S": "-", "Acc L": "-", "Str": "S+1", "AP": "-1", "D": "2", "Ammo": "-",
    "Traits": "Melee, Unwieldy",
})  # fmt: skip
BOILER = [
    profile("Weapon", f"Boiler, {mode}", **{
        "Rng S": '6"', "Rng L": '12"', "Acc S": "-", "Acc L": "-", "Str": strength, "AP": "-1", "D": "1",
        "Ammo": "6+", "Traits": "Scarce",
    })
    for mode, strength in (("steam", "4"), ("scald", "5"))
]  # fmt: skip
HOT = profile("Weapon", "Odd lance", **{
    "Rng S": "as thrown", "Rng L": "-", "Acc S": "-", "Acc L": "-", "Str": "2D6", "AP": "-", "D": "1", "Ammo": "-",
    "Traits": "",
})  # fmt: skip
SKILL = profile("Skill", "Iron Jaw", Description="Prose that nobody keeps.")


def model(name: str, kind: str, category: str, *within: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {
        "id": f"m-{name}", "name": kind, "customName": name, "entryId": f"e::{kind}", "number": 1, "type": "model",
        "categories": [
            {"name": category, "primary": False},
            {"name": "Fighters", "primary": True},
        ],
        "profiles": [profile("Model", kind, **NUMBERS)],
        "costs": [{"name": " Credits", "typeId": "c", "value": 100.0}, {"name": " Weapon slot", "value": 3.0}],
        "selections": list(within),
    } | more  # fmt: skip


HEADQUARTERS = chosen(
    "Gang Headquarters",
    chosen("Stash", chosen("Trading Post", chosen("Spare lamp", number=2, price=20))),
    chosen(
        "Territory",
        chosen("Old Ruins", profiles=[profile("Territory", "Old Ruins", Rules="Prose.")]),
        chosen("The Pit"),
    ),
    chosen("Credits", number=55),
    chosen("House rule: no pets"),
)
BOSS = model(
    "Hagg", "Forge Boss", "Leader",
    chosen(
        "Character",
        chosen("Recovery"),
        chosen("Lasting Injury", chosen("Eye Injury", profiles=[profile("Injury", "Eye Injury", **{"Lasting Injury": "x"})])),
        chosen("Skills", chosen("Iron Jaw", profiles=[SKILL])),
        chosen("Experience", number=7),
    ),
    chosen(
        "Weapons",
        chosen("Nail gun", chosen("Red-dot sight", price=25), number=2, price=30, profiles=[NAIL_GUN]),
        chosen("Great maul", price=15, profiles=[MAUL]),
        chosen("Boiler", price=40, profiles=BOILER),
        chosen("Odd lance", price=5, profiles=[HOT]),
    ),
    chosen("Wargear", chosen("Lamp rig", price=10, profiles=[profile("Wargear", "Lamp rig", Description="Prose.")])),
    rules=[{"id": "r", "name": "Furnace plates", "hidden": False, "description": "Prose."}],
    customNotes="swore off drink",
)  # fmt: skip
ROSTER: dict[str, Any] = {
    "roster": {
        "id": "z", "name": "List 3", "battleScribeVersion": "2.03", "gameSystemId": "g", "gameSystemName": "Necromunda 2018",
        "costs": costs(345), "costLimits": [{"name": " Credits", "typeId": "c1", "value": 1000.0}],
        "forces": [
            {
                "id": "f", "name": "Gang", "customName": "Boiler Kings", "entryId": "e", "catalogueName": "Forge Clans",
                "selections": [
                    HEADQUARTERS,
                    BOSS,
                    model("Trull", "Forge Hand", "Ganger", chosen("Captured"), number=1, costs=costs(60)),
                    model("", "Pit Hound", "Exotic Beasts", number=2, costs=costs(80), customNotes=""),
                ],
            }
        ],
    }
}  # fmt: skip


def as_xml(value: Any, tag: str = "roster") -> str:
    """The same as BattleScribe's XML."""
    singular = {"costs": "cost", "costLimits": "costLimit", "forces": "force", "selections": "selection",
                "profiles": "profile", "characteristics": "characteristic", "categories": "category",
                "rules": "rule"}  # fmt: skip
    attributes, inner = [], ""
    for key, held in value.items():
        if isinstance(held, list):
            inner += (
                f"<{key}>{''.join(as_xml(child, singular[key]) for child in held)}</{key}>" if held else ""
            )
        elif key == "$text":
            inner += escape(str(held))
        elif key in ("description", "customNotes"):
            inner += f"<{key}>{escape(str(held))}</{key}>" if held else ""
        else:
            said = str(held).lower() if isinstance(held, bool) else str(held)
            attributes.append(f"{key}={quoteattr(said)}")
    return f"<{tag} {' '.join(attributes)}>{inner}</{tag}>"


XML = '<?xml version="1.0" encoding="UTF-8"?>\n' + as_xml(ROSTER["roster"]).replace(
    "<roster ", '<roster xmlns="http://www.battlescribe.net/schema/rosterSchema" ', 1
)
