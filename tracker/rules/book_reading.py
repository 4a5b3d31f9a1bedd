"""Reading a book: from what its files say to a Book that holds together.

Touches no file. Refuses a knob, die or trait that contradicts itself, and a table without its source.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from typing import Any, get_args

from tracker.dice import D66, PLAIN_DICE, SpecialDie
from tracker.rules.gang_rules import advancement_rules, gang_rules
from tracker.rules.mutations import mutation_rules
from tracker.rules.post_battle_tables import post_battle_rules
from tracker.rules.rulebook import (
    ArmourKind,
    Book,
    CharacteristicLimits,
    DicePurpose,
    ExperienceAwards,
    FallBand,
    Flight,
    Knob,
    NerveRules,
    OnWound,
    Saves,
    WeaponTrait,
    WoundRoll,
    die_knob,
)
from tracker.rules.table_reading import BrokenBook, check_effect_dice, one_of, read_chart, read_table
from tracker.rules.territory_tables import territory_rules
from tracker.rules.vehicle_tables import vehicle_rules
from tracker.rules.warband_tables import warband_rules
from tracker.rules.wound_table import wound_table

ALWAYS = ("book", "characteristics", "dice", "knobs")
"""What every book has."""
SOMETIMES = (
    "advancements", "armour", "experience", "falls", "gangs", "mutations", "nerve", "post_battle",
    "territories", "traits", "vehicles", "warbands", "wound_roll",
)  # fmt: skip
"""What a book may have beside its tables and charts, which are all its other files."""


def build_book(files: Mapping[str, Mapping[str, Any]], *, where: str) -> Book:
    """A book from the content of its files, checked whole. Raises BrokenBook."""
    for stem in ALWAYS:
        if stem not in files:
            raise BrokenBook(file=f"{where}/{stem}.toml", fault="is missing")
    for stem, content in files.items():
        if not content.get("source"):
            raise BrokenBook(file=f"{where}/{stem}.toml", fault="names no source")
    try:
        return _build_book(files, where)
    except KeyError as missing:
        raise BrokenBook(file=where, fault=f"misses {missing}") from missing
    except (TypeError, ValueError) as wrong:
        raise BrokenBook(file=where, fault=str(wrong)) from wrong


def _build_book(files: Mapping[str, Mapping[str, Any]], where: str) -> Book:
    sections = dict(files["book"]["sections"])
    knobs = {entry["name"]: _knob(entry, sections, where) for entry in files["knobs"]["knob"]}
    characteristics = {
        entry["id"]: CharacteristicLimits(
            characteristic=entry["id"],
            short=entry["short"],
            kind=entry["kind"],
            best=entry["best"],
            worst=entry["worst"],
            worst_on_experience_page=entry.get("worst_on_experience_page"),
        )
        for entry in files["characteristics"]["characteristic"]
    }
    special_dice = _special_dice(files["dice"], knobs, where)
    purposes = {entry["name"]: _purpose(entry, special_dice) for entry in files["dice"]["purpose"]}
    falls = files.get("falls", {"band": (), "lowest_inches": 0})
    check_effect_dice(files, purposes, where)
    rolled = {stem: content for stem, content in files.items() if stem not in (*ALWAYS, *SOMETIMES)}
    return Book(
        book=files["book"]["id"],
        edition=files["book"]["edition"],
        title=files["book"]["title"],
        digest=digest_of(files),
        sections=sections,
        knobs=knobs,
        characteristics=characteristics,
        tables={
            stem: read_table(stem, content, characteristics, where)
            for stem, content in rolled.items()
            if content["roll"] == D66
        },
        charts={
            stem: read_chart(stem, content, characteristics, where)
            for stem, content in rolled.items()
            if content["roll"] != D66
        },
        special_dice=special_dice,
        purposes=purposes,
        traits={entry["id"]: _trait(entry) for entry in files.get("traits", {"trait": ()})["trait"]},
        traits_elsewhere=tuple(files.get("traits", {}).get("elsewhere", ())),
        falls=_falls(falls["band"], falls["lowest_inches"], where),
        lowest_fall_inches=falls["lowest_inches"],
        experience_awards=_experience(files["experience"]) if "experience" in files else None,
        nerve_rules=_nerve(files["nerve"], where) if "nerve" in files else None,
        armour=_armour(files.get("armour", {"armour": ()})["armour"]),
        shield_modifier=files.get("armour", {}).get("shield", 0),
        categories=tuple(files["book"].get("categories", ())),
        currency=files["book"].get("currency", "credit"),
        vehicle_rules=vehicle_rules(files["vehicles"], special_dice) if "vehicles" in files else None,
        rules_of_gangs=gang_rules(files["gangs"]) if "gangs" in files else None,
        rules_of_advancement=(
            advancement_rules(files["advancements"], characteristics) if "advancements" in files else None
        ),
        post_battle_rules=(
            post_battle_rules(files["post_battle"], sections) if "post_battle" in files else None
        ),
        territories=territory_rules(files["territories"]) if "territories" in files else {},
        mutation_rules=mutation_rules(files["mutations"], _row_ids(files)) if "mutations" in files else None,
        warband_rules=warband_rules(files["warbands"]) if "warbands" in files else None,
        wound_table=wound_table(files["wound_roll"]) if "wound_roll" in files else {},
    )


def _row_ids(files: Mapping[str, Mapping[str, Any]]) -> set[str]:
    return {row["id"] for row in files["lasting_injuries"]["row"]}


def _armour(entries: Sequence[Mapping[str, Any]]) -> dict[str, ArmourKind]:
    found: dict[str, ArmourKind] = {}
    for entry in entries:
        if entry["id"] in found or entry["modifier"] in {kind.modifier for kind in found.values()}:
            raise ValueError(f"two kinds of armour are told alike: {entry['id']}")
        found[entry["id"]] = ArmourKind(
            armour=entry["id"],
            name=entry["name"],
            modifier=entry["modifier"],
            adds_shield=entry["adds_shield"],
        )
    return found


def _experience(awards: Mapping[str, Any]) -> ExperienceAwards:
    return ExperienceAwards(
        serious_injury=awards["serious_injury"],
        out_of_action=awards["out_of_action"],
        rank_bonus=awards["rank_bonus"],
        vehicle_wrecked=awards.get("vehicle_wrecked", 0),
        ranks_with_bonus=tuple(awards["ranks_with_bonus"]),
        rallied=awards.get("rallied", 0),
        assisted_recovery=awards.get("assisted_recovery", 0),
        took_part=awards.get("took_part", 0),
    )


def _nerve(nerve: Mapping[str, Any], where: str) -> NerveRules:
    within: dict[tuple[str, str], int] = {}
    for entry in nerve["test"]:
        pair = (entry["tester"], entry["because_of"])
        for kind in pair:
            one_of(("fighter", "vehicle"), kind, "a Nerve test")
        if pair in within:
            raise BrokenBook(file=f"{where}/nerve.toml", fault=f"{pair[0]} because of {pair[1]} stands twice")
        within[pair] = entry["within_inches"]
    for flight in nerve["flight"].values():
        one_of(get_args(Flight), flight, "flight")
    return NerveRules(
        within_inches=within,
        friends_within_inches={
            kind: nerve["friends_within_inches"][kind] for kind in ("fighter", "vehicle", "rally")
        },
        flight={kind: nerve["flight"][kind] for kind in ("fighter", "mobile_vehicle", "stalled_vehicle")},
        broken_reaction=nerve["broken"]["reaction_attacks"],
        hierarchy_within_inches=dict(nerve["hierarchy_within_inches"]),
        home_turf_bottle_dice=nerve["home_turf"]["bottle_dice"],
        home_turf_rally=nerve["home_turf"]["rally"],
        succumbs_highest=nerve["succumb"]["highest"],
        only_their_like=tuple(nerve.get("only_their_like", ())),
        never_bottle=tuple(nerve.get("never_bottle", ())),
    )


def _knob(entry: Mapping[str, Any], sections: Mapping[str, str], where: str) -> Knob:
    if entry["printed"] not in entry["choices"]:
        raise BrokenBook(
            file=f"{where}/knobs.toml", fault=f"{entry['name']} prints a value that is none of its choices"
        )
    if entry["section"] not in sections:
        raise BrokenBook(file=f"{where}/knobs.toml", fault=f"{entry['name']} names an unknown section")
    return Knob(
        name=entry["name"],
        choices=tuple(entry["choices"]),
        printed=entry["printed"],
        about=entry["about"],
        section=entry["section"],
        at_the_table=entry.get("at_the_table", False),
    )


def _special_dice(
    dice: Mapping[str, Any], knobs: Mapping[str, Knob], where: str
) -> dict[str, dict[str, SpecialDie]]:
    found: dict[str, dict[str, SpecialDie]] = {}
    for entry in dice.get("die", ()):
        if len(entry["symbols"]) != 6:
            raise ValueError(f"the {entry['name']} die has {len(entry['symbols'])} faces, not six")
        words = dict(dice.get("also_called", {}).get(entry["name"], {}))
        made = SpecialDie(name=entry["name"], symbols=tuple(entry["symbols"]), also_called=words)
        found.setdefault(entry["name"], {})[entry["variant"]] = made
    for name, variants in found.items():
        knob = knobs.get(die_knob(name))
        choices = set(knob.choices) if knob is not None else set(variants) if len(variants) == 1 else set()
        if choices != set(variants):
            fault = f"the variants of the {name} die are not the choices of the knob {die_knob(name)}"
            raise BrokenBook(file=f"{where}/dice.toml", fault=fault)
    return found


def _purpose(entry: Mapping[str, Any], special_dice: Mapping[str, Mapping[str, SpecialDie]]) -> DicePurpose:
    variants = special_dice.get(entry["die"])
    if variants is None and entry["die"] not in PLAIN_DICE:
        raise ValueError(f"the purpose {entry['name']} asks for an unknown die {entry['die']}")
    # Every variant shows the same pictures, so any of them reads what was typed.
    special = next(iter(variants.values())) if variants is not None else None
    return DicePurpose(name=entry["name"], die=entry["die"], special=special, about=entry["about"])


def _trait(entry: Mapping[str, Any]) -> WeaponTrait:
    to_hit, to_wound = entry.get("on_natural_6_to_hit", {}), entry.get("on_natural_6_to_wound", {})
    for said in (entry, to_hit, to_wound):
        one_of(get_args(Saves), said.get("saves", "any"), entry["id"])
    one_of(get_args(WoundRoll), entry.get("wound_roll", "by_strength"), entry["id"])
    one_of(get_args(OnWound), entry.get("on_wound", "damage"), entry["id"])
    return WeaponTrait(
        trait=entry["id"],
        saves=entry.get("saves", "any"),
        wound_roll=entry.get("wound_roll", "by_strength"),
        on_wound=entry.get("on_wound", "damage"),
        natural_6_to_hit_saves=to_hit.get("saves", "any"),
        natural_6_to_hit_extra_damage=to_hit.get("extra_damage", 0),
        natural_6_to_wound_saves=to_wound.get("saves", "any"),
        pins=entry.get("pins", True),
    )


def _falls(entries: Sequence[Mapping[str, Any]], lowest: int, where: str) -> tuple[FallBand, ...]:
    falls = tuple(
        FallBand(
            from_inches=entry["from_inches"],
            to_inches=entry.get("to_inches"),
            strength=entry["strength"],
            armour_penetration=entry["armour_penetration"],
            damage=entry["damage"],
        )
        for entry in entries
    )
    file, expected = f"{where}/falls.toml", lowest
    for band in falls:
        if band.from_inches != expected:
            raise BrokenBook(file=file, fault=f"no band begins at {expected} inches")
        if band.to_inches is None and band is not falls[-1]:
            raise BrokenBook(file=file, fault="a band without an end is not the last")
        expected = (band.to_inches or 0) + 1
    if falls and falls[-1].to_inches is not None:
        raise BrokenBook(file=file, fault="the last band has an end")
    return falls


def digest_of(content: object) -> str:
    """The SHA-256 of everything that this content means, in hexadecimal."""
    text = json.dumps(content, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()
