"""Exports of this project's own making that hold what real ones do: every odd corner of each format."""

import io
import json
from typing import Any

import import_sources as sources
from openpyxl import Workbook

GANG = sources.yaktribe(
    sources.ganger(
        "Gr&uuml;n &ldquo;Mop&rdquo; Bohr", "Forge Tyrant", bs="4+", cost="140", xp="3", kills="2", advance_count="4",
        equipment=[
            {"name": "Bolt rod (Mag-lens)", "qty": "1", "cost": "15", "traits": "Rapid Fire (1)\r\nKnockback"},
            {"name": "Custom &amp; <i>odd</i> cleaver", "qty": 2, "cost": 0, "custom": True, "weapon_profile": {"str": 5}},
            {"equipment_id": "7", "equipment_name": "Rope", "quantity": "zwei"},
            "Lucky charm",
        ],
        skills=["Bull Charge", {"name": "Iron Jaw", "set": "Brawn"}],
        injuries=["Hobbled", {"name": "Head Injury", "roll": "31"}, "Sump Fever", "Out Cold"],
        notes="owes\r\nKim 10 creds", image="https://example.org/p.png", label_id="4", rank="boss", bounty=25,
    ),
    sources.ganger("Mik", "Bruiser", status="Dead - week 3", cost="60", loyalty=0),
    sources.ganger("Mik", "Bruiser", status="Captured", cost=60.5),
    sources.ganger("Ol' Pet", "Cyber-mastiff", bs=0, ws="-", m='6"', cost="0", int="n/a", cl="quite cool"),
    sources.ganger("Ґрунт", "Rogue Doc (hanger-on)", status="Retired", notes="Impressive Scars"),
    sources.ganger("Big \\x1b[2J One", "'Jotunn' H-Grade Servitor Ogryn", status="Recovery"),
    sources.ganger("Kal", "Bounty Hunter", status="On Holiday", cost=-5),
    sources.ganger("x" * 200, "Mystery Man", status="Critical", equipment=[{"name": "Stub gun", "qty": 70}]),
    gang_rating="9999", alignment="Chaotic", allegiance="Unaligned", wealth="1745", meat="0",
    gang_notes="Card one\r\nCard two", territories=["Old Ruins", {"territory_name": "Rust Pit", "income": "D6x10"}],
    campaign_territories=["old ruins", "Settlement"], campaign_rackets=["Spook"], url="https:\\/\\/example.org",
    stash=[{"name": "Spare mesh", "qty": "2", "cost": "15"}, "Old map"], gang_username="Kim",
    vehicles=[{"name": "Rust Bucket", "type": "Ridge Runner", "hull": 3, "crew": ["Mik"]}],
)  # fmt: skip


def _chosen(name: str, group: str = "", number: int = 1, **more: Any) -> dict[str, Any]:
    return {"id": f"i-{name}", "name": name, "entryId": f"a::b::{name}", "number": number, "type": "upgrade",
            "from": "group", "group": group} | more  # fmt: skip


def _ducats(value: int, glory: int = 0) -> list[dict[str, Any]]:
    costs = [{"name": "Ducats", "typeId": "d", "value": value}]
    return [*costs, {"name": "Glory Points", "typeId": "g", "value": glory}] if glory else costs


def _weapon(name: str, reach: str, keywords: str) -> dict[str, Any]:
    return {
        "id": f"p-{name}", "name": name, "typeId": "w", "typeName": "Weapon", "hidden": False,
        "characteristics": [
            {"name": "Type", "typeId": "1", "$text": "2-Handed"},
            {"name": "Range", "typeId": "2", "$text": reach},
            {"name": "Keywords", "typeId": "3", "$text": keywords},
            {"name": "Rules", "typeId": "4", "$text": "Prose that is never kept, of some length."},
        ],
    }  # fmt: skip


def _ability(name: str, kind: str = "Ability") -> dict[str, Any]:
    written = [{"name": "Description", "typeId": "1", "$text": "Prose that is never kept."}, {"name": "Type"}]
    return {"id": f"p-{name}", "name": name, "typeName": kind, "characteristics": written}


def _numbers(name: str, **said: str) -> dict[str, Any]:
    usual = {
        "Movement": '6"/Infantry',
        "Ranged": "+1 Dice",
        "Melee": "N/A",
        "Armour": "-2",
        "Base": "32mm",
    } | said
    written = [{"name": key, "typeId": key, "$text": text} for key, text in usual.items()]
    return {"id": "n", "name": name, "typeName": "Unit", "characteristics": written}


def _model(name: str, rank: str = "Troop", **more: Any) -> dict[str, Any]:
    categories = [
        {"id": "c", "name": word, "entryId": "c", "primary": True} for word in (rank, "Sultanate", "Tough")
    ]
    return {"id": name, "name": name, "entryId": name, "number": 1, "type": "model", "from": "entry",
            "costs": _ducats(40), "categories": categories, "profiles": [_numbers(name)]} | more  # fmt: skip


_ENGINEER = _model(
    "Trench Engineer", "Elite", customName="Каси́м &amp; Söhne", customNotes="limps\r\nand swears",
    profiles=[_numbers("Trench Engineer"), _ability("Field Works"), _weapon("Built-in Drill", "Melee", "CLEAVE 2"),
              _numbers("Mule", Base="50mm"), _ability("Helmet", "Battlekit")],
    rules=[{"id": "r", "name": "Strong", "hidden": False, "page": "12-13", "description": "Prose never kept."}],
    selections=[
        _chosen("Sniper Rifle", "Weapons::Ranged", costs=_ducats(35), profiles=[_weapon("Sniper Rifle", '48"', "RISKY")],
                rules=[{"name": "Risky", "description": "Prose never kept."}],
                selections=[_chosen("Scope", "Accessories", costs=_ducats(0, 2), selections=[
                    _chosen("Red lens", "Lenses", customName="Ruby", costs=_ducats(5))])]),
        _chosen("Polearm and Shield", "Loadout", profiles=[_weapon("Polearm", "Melee", "BLOCK"),
                                                           _ability("Shield", "Battlekit")]),
        _chosen("Experience", "Advancement", 4, profiles=[_ability("Experience", "Battlekit")]),
        _chosen("Strong Arm [8]", "Advancement::Skills::Melee", profiles=[_ability("Strong Arm")]),
        _chosen("Elite Promotion", "Advancement"),
        _chosen("Leg Wound [31]", "Advancement::Injuries"),
        _chosen("Unheard-of Wound [99]", "Advancement::Injuries"),
        _model("War Mule", "Beast", number=1),
    ],
)  # fmt: skip
_SETTING = {
    **_chosen("Campaign Rules"),
    "selections": [
        _chosen("Enabled", "Enable Campaign Rules?", selections=[
            _chosen("Old Mine", "Exploration Rewards", selections=[_chosen("Deep shaft", "", profiles=[_ability("Shaft")])]),
            _chosen("Sublime Porch", "Patron Selection"), _chosen("Unleveraged Glory", "", 6),
            _chosen("Second Look", "Exploration Skills", costs=_ducats(3)),
        ]),
    ],
}  # fmt: skip
_PILE = _model(
    "Pile of Stuff", "Pile", costs=_ducats(-7), profiles=[],
    selections=[
        _chosen("Armour Storage", selections=[_chosen("Old Plate", "Armour", costs=_ducats(20))]),
        _chosen("Trench Knife", "Weapons", 3, costs=_ducats(3), profiles=[_weapon("Trench Knife", "Melee", "-1 DICE")],
                selections=[_chosen("Engraving", "Extras")]),
    ],
)  # fmt: skip
_UNIT = {
    "id": "u", "name": "Rider", "entryId": "u", "number": 1, "type": "unit", "customName": "Jawhar", "from": "entry",
    "costs": _ducats(10), "categories": [{"name": "Mercenary", "entryId": "m", "primary": True}],
    "rules": [{"name": "Hired", "description": "Prose never kept."}],
    "selections": [_model("Rider", "Mercenary", costs=_ducats(0, 4)), _chosen("Banner", "Kit", costs=_ducats(2))],
}  # fmt: skip
_SQUAD = {
    "id": "s", "name": "Squad", "entryId": "s", "number": 1, "type": "unit", "customName": "The Lads",
    "selections": [
        _model("Azeb", number=3, costs=_ducats(100), selections=[_chosen("Rifle", "Weapons", 3, costs=_ducats(30))]),
        _model("Azeb", customName="Azeb"),
    ],
}  # fmt: skip
ROSTER: dict[str, Any] = {
    "roster": {
        "id": "z", "name": "Porch - August", "battleScribeVersion": 2.03, "generatedBy": "https://example.org",
        "gameSystemId": "s", "gameSystemName": "Trench Crusade", "gameSystemRevision": 17, "xmlns": "x",
        "costs": _ducats(300, 6), "costLimits": _ducats(320, 9), "customNotes": "our first", "tags": [{"name": "club"}],
        "forces": [
            {
                "id": "f", "name": "Warband", "customName": "Porch Walkers", "catalogueName": "Iron Sultanate",
                "catalogueId": "c", "catalogueRevision": 14, "entryId": "e", "publications": [{"id": "p", "name": "Rules"}],
                "rules": [{"name": "Porch Law", "hidden": False, "description": "Prose never kept."}],
                "categories": [{"name": "Elite", "id": "1", "primary": False, "entryId": "1"}],
                "selections": [_SETTING, _PILE, _ENGINEER, _UNIT, _SQUAD],
                "forces": [
                    {"id": "g", "name": "Allies", "customName": "Friends", "catalogueName": "New Antioch",
                     "selections": [_model("Sapper", "Specialist")]}
                ],
            }
        ],
    }
}  # fmt: skip

XML = """\
<?xml version="1.0" encoding="ISO-8859-1"?>
<!-- a comment says nothing -->
<roster id="z" name="The Wrecked" gameSystemName="Trench Crusade" battleScribeVersion="2.03" costs="many"
 xmlns="http://www.battlescribe.net/schema/rosterSchema" xmlns:x="urn:x" x:name="twice">
<costs><cost name="Ducats" typeId="d" value="157.0"/></costs><costLimits/>
<customNotes>first</customNotes><customNotes>second</customNotes>
<forces><force id="f" name="Warband" catalogueName="Heretic Legion" customName="Mud &amp; Blood"><selections>
<selection id="u" name="Squad" customName="Chaff" type="unit" number="1"><customNotes>led by Jo</customNotes>
<selections>
<selection id="a" name="Heretic Trooper" type="model" number="2">
<profiles><profile id="p" name="Heretic Trooper" typeId="t" typeName="Unit"><characteristics>
<characteristic name="Movement" typeId="m">6"/Infantry</characteristic>
<characteristic name="Ranged" typeId="r">0</characteristic>
<characteristic name="Melee" typeId="e">some <b>bold</b> words</characteristic>
<characteristic name="Armour" typeId="b">-</characteristic>
</characteristics></profile></profiles>
<selections><selection id="k" name="Trench Club" type="upgrade" number="2" group="Melee"><profiles>
<profile id="kp" name="Trench Club" typeName="Weapon"><characteristics>
<characteristic name="Range">Melee</characteristic><characteristic name="Rules">Prose never kept.</characteristic>
</characteristics></profile></profiles></selection></selections>
<costs><cost name="Ducats" typeId="d" value="60.0"/><cost name="Glory" typeId="g" value="1"/></costs>
<categories><category id="c" name="Troop" primary="true"/></categories>
</selection></selections></selection>
<selection id="x" name="Oddity" type="upgrade" number="1"><costs><cost name="Ducats" value="3"/></costs></selection>
</selections></force></forces></roster>
"""

EXPORT: dict[str, Any] = {
    "warband-id": 1, "warband-url": "https://example.org/1", "warband-name": "Wreckers &amp; Sons", "ducat-bank": "seven",
    "glory-bank": 2, "ducat-rating": 700, "glory-rating": 3, "faction-name": "Heretic Legion", "motto": "never twice",
    "models": [
        *sources.EXPORT["models"],
        {
            "model-name": "Trench Pilgrim", "model-id": "md_pilgrim", "name": "", "stat-move": "-", "stat-melee": "N/A",
            "stat-ranged": "good", "stat-armour": 0, "cost": {"ducats": 0, "glory": 4, "blood": 1},
            "equipment": [{"equipment-name": "Lens &amp; Cap", "equipment-id": "eq", "equipment-type": "equipment",
                           "accessories": [{"name": "Strap"}]}, "Loose nail"],
            "abilities": [], "upgrades": [{"upgrade-name": "Skirmisher", "upgrade-id": "up"}],
            "advancements": [{"advancement-name": "Quick", "advancement-id": "ad"}],
            "injuries": [{"injury-name": "Unheard-of", "injury-id": "in"}], "keywords": [{"keyword-name": "MERCENARY"}],
            "experience": 4, "notes": "line\r\nline",
        },
    ],
}  # fmt: skip


def _bought(kind: str, known: str, name: str, cost: int, currency: int = 0) -> dict[str, Any]:
    return {
        "purchase": {"cost_value": cost, "cost_type": currency, "discount": 0, "purchaseid": "p", "sell_item": True,
                     "custom_rel": {"id": "rel", "faction_id": ["fc_a", "fc_b"], "cost": cost, "name": name}},
        kind: {"id": f"{known}_1", "name": name, "source": "core", "tags": {"weapon": True}, "subproperties": [],
               "equipment_id": {"object_id": known, "selections": [], "tags": {"weapon": True}}},
    }  # fmt: skip


def _alike(known: str) -> dict[str, Any]:
    return {
        "object_id": known,
        "selections": [{"option_refID": "o", "selection_ID": "s"}],
        "consumables": [],
        "tags": [],
    }


SHARE: dict[str, Any] = {
    "id": 5, "warband_id": 5, "warband_user_id": "42", "warband_campaigns": [505], "warband_campaign_invites": [],
    "warband_data": json.dumps(
        {
            "id": "w", "name": "Al-Qarn", "source": "user", "tags": {"version": 9}, "ducat_bank": 1460, "glory_bank": 13,
            "context": {"id": "c", "victory_points": 52, "campaign_round": 5, "failed_promotions": 5, "homebrew_id": [],
                        "stored_ratings": {"rating_ducat": 1455, "rating_glory": 11, "spare_ducat": 60, "spare_glory": 2,
                                           "stash_rating_ducat": 33, "stash_rating_glory": 0}},
            "exploration": {"explorationskills": [_alike("es_reroll")], "id": "e", "name": "Al-Qarn_exploration",
                            "locations": [_alike("el_snipersnest"), "Old Mine"], "location_mods": [_alike("el_mod")]},
            "faction": {"id": "f", "name": "Al-Qarn_faction", "faction_property": _alike("fc_ironsultanate"),
                        "faction_rules": [_alike("rl_alchemists")], "patron_id": "pt_house", "patron_rank": 2},
            "debts": {"ducats": 35, "glory": 0}, "notes": [{"title": "lore", "text": "long\r\nago"}],
            "fireteams": [_alike("ft_pair")], "expansion_ids": ["carcass"],
            "equipment": [_bought("equipment", "eq_siegejezzail", "Siege Jezzail", 30)],
            "models": [
                {
                    "purchase": {"cost_value": 55, "cost_type": 0, "discount": 5, "faction_rel_id": "rel_a"},
                    "model": {
                        "id": "m1", "name": " Dhi\u2019b al-Nafud", "source": "core", "tags": [], "model": "md_lionofjabir",
                        "active": "active", "elite": True, "experience": 6, "recruited": False, "scar_reserves": 1,
                        "subproperties": [_alike("ab_agilelion")], "notes": [{"title": "lore", "text": "a beast"}],
                        "equipment": [_bought("equipment", "eq_knife", "Trench Knife", 1),
                                      _bought("equipment", "eq_scope", "Scope", 2, 1)],
                        "list_upgrades": [{"purchase": {"cost_value": 5, "cost_type": 0}, "upgrade": _alike("up_skirmisher")}],
                        "list_injury": [_alike("in_legwound"), _alike("in_unheardof")], "list_skills": [_alike("sk_quick")],
                        "list_modelequipment": [_alike("rel_x")], "stat_selections": [], "mood": "grim",
                    },
                },
                {
                    "purchase": {"cost_value": 4, "cost_type": 1, "discount": 0},
                    "model": {"name": "Jawhar", "model": "md_faris", "active": "dead", "elite": False, "experience": 0},
                },
                {"purchase": {"cost_value": 9, "cost_type": 0}, "model": {"name": "Lost", "model": "md_x", "active": "away"}},
            ],
        }
    ),
}  # fmt: skip

TABLE = """\
gang,House,player,Credits,Name,type,category,M,WS,BS,S,T,W,I,A,Ld,Cl,Wil,Int,cost,xp,skills,skills,weapons,injuries,kills,,shoe size\r
Rust Dogs,Forge Clans,Kim,45,Br&auml;kka,Forge Boss,leader,5,3+,-,4,4,2,4,3,6,5,8,7,190,4,Bull Charge;Iron Jaw,Hurl,maul,hobbled;sump fever,5,loose,44\r
Rust Dogs,Forge Clans,Kim,45,Yol,Mystery Man,ganger,5,four,4,3,3,1,4,1,7,7,7,7,-60,none,,,,,0,,0\r
Rust Dogs,,,,,Nobody,,,,,,,,,,,,,,,,,,,,,,\r
Tin Cats,Sump Court,Ash,3,Mew,Cat,ganger,5,4,4,3,3,1,4,1,7,7,7,7,60,0,,,,,,,,beyond the head\r
"""


def workbook() -> bytes:
    """The same table as a workbook, with a second sheet."""
    book = Workbook()
    sheet = book.active
    assert sheet is not None
    for line in TABLE.splitlines()[:3]:
        sheet.append(line.split(","))
    stash = book.create_sheet("Stash")
    stash.append(["rope", 2])
    written = io.BytesIO()
    book.save(written)
    return written.getvalue()
