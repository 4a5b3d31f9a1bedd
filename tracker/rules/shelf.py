"""The shelf: reads books and policies from their TOML files, once, and refuses what does not hold together.

The one place in the library that touches files. A band that misses or repeats a cell, an unknown effect,
knob, characteristic or skill of data, a table without its source: refused here, before anybody plays.
"""

from __future__ import annotations

import hashlib
import json
import tomllib
from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from importlib import resources
from importlib.resources.abc import Traversable
from itertools import pairwise
from typing import Any, get_args, get_type_hints

from tracker.dice import D66, PLAIN_DICE, SpecialDie
from tracker.errors import BadInput, Refusal, nearest
from tracker.records import dataclass
from tracker.rules.effects import CONDITIONS, EFFECTS
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
    Policy,
    Preset,
    Rulebook,
    Saves,
    WeaponTrait,
    WoundRoll,
    die_knob,
)
from tracker.rules.tables import ALL_CELLS, Band, Chart, Row, Table, band_ends, cells_between
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


@dataclass(eq=False)
class BrokenBook(Refusal):
    """A book or policy file does not hold together: a fault of whoever wrote the file."""

    file: str
    fault: str

    exit_code = 2

    def message(self) -> str:
        return f"{self.file}: {self.fault}. The file must be mended before anything is decided with it."


@dataclass(eq=False)
class UnknownBook(BadInput):
    book: str
    known: tuple[str, ...]

    def message(self) -> str:
        return (
            f"There is no rulebook {self.book!r} on the shelf.{nearest(self.book, self.known)} Known:"
            f" {', '.join(self.known)}."
        )


@dataclass(eq=False)
class UnknownPolicy(BadInput):
    policy: str
    known: tuple[str, ...]

    def message(self) -> str:
        return (
            f"There is no policy {self.policy!r} on the shelf.{nearest(self.policy, self.known)}"
            f" See 'arbitrator policy list'."
        )


@dataclass(eq=False)
class UnknownPreset(BadInput):
    preset: str
    known: tuple[str, ...]

    def message(self) -> str:
        return (
            f"There is no preset {self.preset!r}.{nearest(self.preset, self.known)} Known:"
            f" {', '.join(self.known)}."
        )


def book_names() -> tuple[str, ...]:
    """The ids of the books on the shelf."""
    return tuple(
        sorted(
            folder.name for folder in _here("books").iterdir() if folder.is_dir() and folder.name[0] != "_"
        )
    )


@cache
def book(name: str) -> Book:
    """A book, read once. Raises UnknownBook or BrokenBook."""
    if name not in book_names():
        raise UnknownBook(book=name, known=book_names())
    return build_book(book_files(name), where=name)


def book_files(name: str) -> dict[str, dict[str, Any]]:
    """The content of every file of a book, by the file's stem."""
    files = sorted((_here("books") / name).iterdir(), key=lambda entry: entry.name)
    return {file.name.removesuffix(".toml"): _read(file) for file in files if file.name.endswith(".toml")}


@cache
def policies() -> Mapping[str, Policy]:
    """Every policy on the shelf, by 'id@version'."""
    found = {}
    for file in sorted(_here("policies").iterdir(), key=lambda entry: entry.name):
        if file.name.endswith(".toml") and file.name != "presets.toml":
            policy = build_policy(_read(file), where=file.name)
            if file.name != f"{policy.id}.toml":
                raise BrokenBook(
                    file=file.name, fault=f"holds {policy.id}, whose file is named {policy.id}.toml"
                )
            found[policy.id] = policy
    return found


def policy(name: str) -> Policy:
    """A policy by 'id@version', or the newest version by 'id'. Raises UnknownPolicy."""
    shelf = policies()
    if name in shelf:
        return shelf[name]
    versions = [policy for policy in shelf.values() if policy.policy == name]
    if not versions:
        raise UnknownPolicy(policy=name, known=(*shelf, *{policy.policy for policy in shelf.values()}))
    return max(versions, key=lambda policy: policy.version)


@cache
def presets() -> Mapping[str, Preset]:
    """Every preset, by id; each names policies that are on the shelf."""
    content = _read(_here("policies") / "presets.toml")
    found = {}
    for name, preset in content.items():
        for listed in preset["policies"]:
            if listed not in policies():
                raise BrokenBook(
                    file="presets.toml", fault=f"{name} lists {listed}, which is not on the shelf"
                )
        found[name] = Preset(preset=name, title=preset["title"], policies=tuple(preset["policies"]))
    return found


def preset(name: str) -> Preset:
    """A preset by id. Raises UnknownPreset."""
    if name not in presets():
        raise UnknownPreset(preset=name, known=tuple(presets()))
    return presets()[name]


def fitting_policies(preset_name: str, book_name: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """A preset's policies that are about rules of this book, and those that are about rules it has not."""
    knobs = book(book_name).knobs
    listed = preset(preset_name).policies
    fitting = tuple(name for name in listed if all(knob in knobs for knob in policy(name).patch))
    return fitting, tuple(name for name in listed if name not in fitting)


def rulebook(book_name: str, patches: Sequence[tuple[str, Mapping[str, str]]]) -> Rulebook:
    """The book with policies applied in the order adopted. `patches` holds ('id@version', patch) pairs."""
    return _rulebook(
        book_name, tuple((policy_id, tuple(sorted(patch.items()))) for policy_id, patch in patches)
    )


@lru_cache(maxsize=256)
def _rulebook(book_name: str, patches: tuple[tuple[str, tuple[tuple[str, str], ...]], ...]) -> Rulebook:
    printed = book(book_name)
    settings = {name: knob.printed for name, knob in printed.knobs.items()}
    for _, patch in patches:
        printed.check_patch(dict(patch))
        settings.update(patch)
    version = " + ".join([f"{printed.book}@{printed.edition}", *(policy_id for policy_id, _ in patches)])
    return Rulebook(
        book=printed,
        settings=settings,
        version=version,
        digest=_digest({"book": printed.digest, "settings": settings}),
    )


def build_policy(content: Mapping[str, Any], *, where: str) -> Policy:
    """A policy from its file's content. Raises BrokenBook."""
    wanted = {"id", "version", "title", "about", "source", "tags", "patch"}
    if set(content) != wanted:
        raise BrokenBook(file=where, fault=f"needs exactly the keys {', '.join(sorted(wanted))}")
    return Policy(
        policy=content["id"],
        version=content["version"],
        title=content["title"],
        about=content["about"],
        source=content["source"],
        tags=tuple(content["tags"]),
        patch=dict(content["patch"]),
    )


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
    _check_effect_dice(files, purposes, where)
    rolled = {stem: content for stem, content in files.items() if stem not in (*ALWAYS, *SOMETIMES)}
    return Book(
        book=files["book"]["id"],
        edition=files["book"]["edition"],
        title=files["book"]["title"],
        digest=_digest(files),
        sections=sections,
        knobs=knobs,
        characteristics=characteristics,
        tables={
            stem: _table(stem, content, characteristics, where)
            for stem, content in rolled.items()
            if content["roll"] == D66
        },
        charts={
            stem: _chart(stem, content, characteristics, where)
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
            _one_of(("fighter", "vehicle"), kind, "a Nerve test")
        if pair in within:
            raise BrokenBook(file=f"{where}/nerve.toml", fault=f"{pair[0]} because of {pair[1]} stands twice")
        within[pair] = entry["within_inches"]
    for flight in nerve["flight"].values():
        _one_of(get_args(Flight), flight, "flight")
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
        _one_of(get_args(Saves), said.get("saves", "any"), entry["id"])
    _one_of(get_args(WoundRoll), entry.get("wound_roll", "by_strength"), entry["id"])
    _one_of(get_args(OnWound), entry.get("on_wound", "damage"), entry["id"])
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


def _one_of(known: tuple[str, ...], said: str, where: str) -> None:
    if said not in known:
        raise ValueError(f"{where} says {said!r}, which is none of {', '.join(known)}")


def _table(
    stem: str, content: Mapping[str, Any], characteristics: Mapping[str, CharacteristicLimits], where: str
) -> Table:
    file = f"{where}/{stem}.toml"
    if content["id"] != stem:
        raise BrokenBook(
            file=file, fault=f"holds the table {content['id']}, whose file is {content['id']}.toml"
        )
    rows = tuple(_row(entry, characteristics, file) for entry in content["row"])
    printed = sorted(cell for row in rows for cell in row.cells)
    if printed != sorted(ALL_CELLS):
        missing = [cell for cell in ALL_CELLS if cell not in printed]
        twice = sorted({cell for cell in printed if printed.count(cell) > 1})
        raise BrokenBook(
            file=file, fault=f"cells missing: {missing or 'none'}, cells twice: {twice or 'none'}"
        )
    ids = [row.id for row in rows]
    if len(set(ids)) != len(ids):
        raise BrokenBook(file=file, fault="two rows share an id")
    named = [
        content["default_row"],
        *(row for entry in content["row"] for fx in entry["effects"] for row in fx.get("rerolls", ())),
    ]
    for name in named:
        if name not in ids:
            raise BrokenBook(file=file, fault=f"names a row {name!r} that it does not have")
    return Table(
        id=content["id"],
        title=content["title"],
        source=content["source"],
        default_row=content["default_row"],
        rows=rows,
    )


def _check_characteristics(
    entry: Mapping[str, Any], characteristics: Mapping[str, CharacteristicLimits], file: str
) -> None:
    for effect in entry.get("effects", ()):
        if "characteristic" in effect and effect["characteristic"] not in characteristics:
            raise BrokenBook(
                file=file,
                fault=f"{entry['id']} changes an unknown characteristic {effect['characteristic']!r}",
            )


def _check_effect_dice(
    files: Mapping[str, Mapping[str, Any]], purposes: Mapping[str, DicePurpose], where: str
) -> None:
    """Every die that an effect asks for must be one that can be given, under a purpose of this book."""
    for stem, content in files.items():
        for line in (*content.get("row", ()), *content.get("band", ())):
            for effect in line.get("effects", ()):
                asked = {"purpose": D66 if "count_purpose" in effect else effect.get("dice")}
                asked["count_purpose"] = effect.get("dice")
                for key, die in asked.items():
                    if key in effect and (effect[key] not in purposes or purposes[effect[key]].die != die):
                        fault = (
                            f"{line['id']} asks for {effect[key]!r} by {die}, which dice.toml does not know"
                        )
                        raise BrokenBook(file=f"{where}/{stem}.toml", fault=fault)


def _row(entry: Mapping[str, Any], characteristics: Mapping[str, CharacteristicLimits], file: str) -> Row:
    _check_characteristics(entry, characteristics, file)
    return Row(
        id=entry["id"],
        name=entry["name"],
        cells=cells_between(entry["cells"]),
        effects=tuple(_of_kind(EFFECTS, effect, file) for effect in entry["effects"]),
        counts_as_default_when=tuple(
            _of_kind(CONDITIONS, one, file) for one in entry.get("counts_as_default_when", ())
        ),
        rolled_again_when=tuple(
            _of_kind(CONDITIONS, one, file) for one in entry.get("rolled_again_when", ())
        ),
    )


def _of_kind(kinds: Mapping[str, type[Any]], entry: Mapping[str, Any], file: str) -> Any:
    kind = kinds.get(entry["kind"])
    if kind is None:
        raise BrokenBook(file=file, fault=f"unknown kind {entry['kind']!r};{nearest(entry['kind'], kinds)}")
    for name, said in entry.items():
        choices = get_args(get_type_hints(kind).get(name))
        if choices and all(isinstance(choice, str) for choice in choices):
            _one_of(choices, said, entry["kind"])
    facts = {
        name: tuple(value) if isinstance(value, list) else value
        for name, value in entry.items()
        if name != "kind"
    }
    return kind(**facts)


def _chart(
    stem: str, content: Mapping[str, Any], characteristics: Mapping[str, CharacteristicLimits], where: str
) -> Chart:
    file = f"{where}/{stem}.toml"
    if content["id"] != stem:
        raise BrokenBook(
            file=file, fault=f"holds the chart {content['id']}, whose file is {content['id']}.toml"
        )
    bands = []
    for entry in content["band"]:
        lowest, highest = band_ends(entry["totals"])
        effects = tuple(_of_kind(EFFECTS, effect, file) for effect in entry.get("effects", ()))
        bands.append(
            Band(id=entry["id"], name=entry["name"], lowest=lowest, highest=highest, effects=effects)
        )
        _check_characteristics(entry, characteristics, file)
    for band, following in pairwise(bands):
        if band.highest is None or following.lowest != band.highest + 1:
            raise BrokenBook(file=file, fault=f"{following.id} does not follow {band.id} without a gap")
    return Chart(
        id=content["id"],
        title=content["title"],
        source=content["source"],
        bands=tuple(bands),
        roll=content["roll"],
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


def _digest(content: object) -> str:
    text = json.dumps(content, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


def _here(folder: str) -> Traversable:
    return resources.files("tracker.rules") / folder


def _read(file: Traversable) -> dict[str, Any]:
    try:
        return tomllib.loads(file.read_text(encoding="utf-8"))
    except FileNotFoundError as missing:
        raise BrokenBook(file=file.name, fault="is missing") from missing
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as wrong:
        raise BrokenBook(file=file.name, fault=f"is no readable TOML ({wrong})") from wrong
