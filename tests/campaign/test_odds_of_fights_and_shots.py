"""Odds against every die in whole fights and shots, for each effect of each trait and skill of the book.

The rows come from the book. Each effect is played in a scene in which it acts: its conditions say most of it, and
`fight_with` and `shot_with` what its kind needs besides. There the odds are the fractions that every way the dice can
fall adds up to, for everybody in the scene; and they are other fractions than without the row. So a new row is tried
without a word, or fails here until its scene stands.
"""

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import pytest
from fights import at, fight, weapon
from scenario import DOT, KRUG, MAGS, MESH, VEX, Table, card, given
from shots import dice, gun, shot, there
from special_rules import every_ends, odds_of_all
from tables import every

from tracker.campaign import records
from tracker.errors import Refusal
from tracker.records import Record, replace
from tracker.rules import loader, special_rules
from tracker.rules.combat_tables import WeaponTrait
from tracker.rules.necromunda.rules_in_force import WHOLE_BOOK
from tracker.rules.special_rules import Condition, DeclaredEffect, Effect, SkillRow

BOOK = loader.book("necromunda_2023")
Row = WeaponTrait | SkillRow
Ends = dict[str, dict[tuple[Any, ...], Fraction]]
EVERYBODY = (KRUG, VEX, MAGS, DOT)
OF_FIGHTS = ("weapons", "attack_dice", "assist", "hits_scored")
OF_SHOTS = ("target_priority", "ammo_test", "beneath", "pinning", "unsaved")
OF_BOTH = ("hit_roll", "missed", "hit", "wound_roll", "wounded", "save", "damage", "injury_dice", "injured",
           "after_attack")  # fmt: skip
BEFORE_WOUNDS = (
    "weapons",
    "attack_dice",
    "assist",
    "hits_scored",
    "hit_roll",
    "missed",
    "target_priority",
    "pinning",
)
IN_MELEE: tuple[Condition, ...] = ("melee", "charging", "reaction", "named_die", "wielder_of_melee", "psyker")
AT_RANGE: tuple[Condition, ...] = ("ranged", "short_range", "long_range", "aiming", "interrupting", "area")


class Scene(Record):
    """What is played: a row, one of its effects (None: what it is without any), in a fight or by a shot.

    `there` False: the same without the row.
    """

    row: Row
    effect: DeclaredEffect | None
    melee: bool
    there: bool = True

    def __str__(self) -> str:
        what = "as such" if self.effect is None else f"{self.effect.when}, {self.effect.then.kind}"
        return f"{self.row.name}, {what}, {'in a fight' if self.melee else 'by a shot'}"

    def asks(self, *conditions: Condition) -> bool:
        """Whether the effect wants one of these."""
        return self.effect is not None and any(one in self.effect.conditions for one in conditions)

    def does(self, *kinds: type[Effect]) -> bool:
        """Whether the effect is one of these kinds."""
        return self.effect is not None and isinstance(self.effect.then, kinds)

    def named(self, kind: type[Row], bearer: str) -> tuple[str, ...]:
        """The row's name, where it is of this kind and this is who has it."""
        has_it = "attacker" if self.effect is None else self.effect.bearer
        return (self.row.name,) if self.there and isinstance(self.row, kind) and has_it == bearer else ()


def left_out(effect: DeclaredEffect) -> bool:
    """Whether all that comes of an effect is on the table or in what a fight leaves to its reactions; and the
    six wound rolls of Scattershot, which are too many to be tried and have a test by hand."""
    if isinstance(effect.then, special_rules.Inflicts):
        return effect.then.condition == "entangled"
    return isinstance(
        effect.then, special_rules.DraggedAlong | special_rules.OutOfReach | special_rules.WoundRolls
    )


def scenes() -> Iterator[Scene]:
    """Every effect of every row, in a fight and by a shot, where it acts on fighters in either."""
    for row in (*BOOK.traits.values(), *BOOK.skills.values()):
        if isinstance(row, WeaponTrait) and row.resolves:
            yield from (
                Scene(row=row, effect=None, melee=melee) for melee in (True, False) if melee or row.pins
            )
        for effect in row.effects:
            if effect.against == "vehicle" or not effect.acts_in(WHOLE_BOOK) or left_out(effect):
                continue
            found = Scene(row=row, effect=effect, melee=True)
            names = getattr(effect.then, "without", ())
            in_fights = effect.when in (*OF_FIGHTS, *OF_BOTH) and not found.asks(*AT_RANGE)
            if in_fights and (not names or "interference" in names):
                yield found
            if effect.when in (*OF_SHOTS, *OF_BOTH) and not found.asks(*IN_MELEE):
                yield Scene(row=row, effect=effect, melee=False)


def is_before_wounds(scene: Scene) -> bool:
    """Whether an effect acts on who is hit, or brings more hits: then nobody needs to go down by one of them. The dice
    of that would multiply the ways in which all dice can fall, and say nothing of the effect.
    """
    when = scene.effect.when if scene.effect is not None else ""
    return when in BEFORE_WOUNDS or scene.asks("charging") or scene.does(special_rules.HitsNext)


def cards(scene: Scene, mine: str, theirs: str, **more: Any) -> dict[str, records.FighterCard]:
    """Who attacks and who is attacked, with the skills and the armour that the effect asks for."""
    assists = scene.does(special_rules.AlwaysAssists)
    defends = scene.named(SkillRow, "target")
    if scene.does(special_rules.CannotBeParried):
        defends = ("Parry",)
    if scene.does(special_rules.AlwaysPins):
        defends = ("Nerves of Steel",)
    carried = scene.named(WeaponTrait, "target")
    if scene.does(special_rules.BreaksShields):
        carried = ("Energy Shield",)
    saves = (special_rules.AllowsSaves, special_rules.ChangesRoll, special_rules.BreaksShields,
             special_rules.ChangesArmourPenetration)  # fmt: skip
    harms = (special_rules.ChangesDamage, special_rules.KnockedBack)
    target = card(
        theirs,
        skills=defends,
        weapons=(weapon("kit", "Melee", *carried, strength=None),),
        armour=MESH if scene.effect is None or scene.does(*saves) else None,
        toughness=4,
        wounds=3 if is_before_wounds(scene) else 2 if scene.effect is None or scene.does(*harms) else 1,
    )
    ours = () if assists else scene.named(SkillRow, "attacker")
    return {mine: card(mine, skills=ours, **more), theirs: target}


def traits_of(scene: Scene, kind: str) -> tuple[str, ...]:
    """The traits of the weapon: the row's, where it is a trait of it."""
    doubled = (scene.row.name,) if scene.asks("has_it_already") else ()
    return (kind, *scene.named(WeaponTrait, "attacker"), *doubled)


def fight_with(scene: Scene) -> tuple[Table, records.Command]:
    """Krug attacks Mags with one Attack die, or as few as the effect leaves."""
    arms = [weapon("arm", *traits_of(scene, "Melee"), strength=None)]
    using: tuple[str, ...] = ("arm",)
    if scene.does(special_rules.OneHanded):
        arms.append(weapon("pick", "Melee", "Unwieldy", strength=None))
        using = ("arm", "pick")
    # A charge has more dice than can be tried one by one, unless few of them hit; that of Paired has four.
    charging = scene.asks("charging") and not scene.asks("on_foot")
    people = cards(scene, KRUG, MAGS, weapons=tuple(arms), weapon_skill=6 if charging else 5)
    assists = scene.does(special_rules.AlwaysAssists)
    people[VEX] = card(VEX, skills=scene.named(SkillRow, "attacker") if assists else ())
    table = given(*people.values(), knobs={"backstab.armour_penetration": "-1"})
    if scene.does(special_rules.Inflicts):
        table = table.when(records.StateCondition(condition="hidden", fighter=MAGS))
    if scene.asks("reaction"):
        table = table.when(fight(MAGS, KRUG), *dice(melee_hit=1))
    return table, fight(
        KRUG,
        at(
            MAGS,
            behind=True if scene.asks("behind") else None,
            cannot_be_moved=True,
            psyker=scene.asks("against_psyker"),
        ),
        using=using,
        charging=charging,
        reaction=scene.asks("reaction"),
        psyker=scene.asks("psyker"),
        engaged=((VEX, MAGS), (VEX, DOT)) if assists else ((DOT, KRUG),) if scene.does(
            special_rules.WithoutModifiers) else (),
        in_contact=(at(VEX),) if scene.does(special_rules.SpreadsHits) else (),
    )  # fmt: skip


def shot_with(scene: Scene) -> tuple[Table, records.Command]:
    """Mags shoots at Krug, who stands in the open, with the last round of her gun."""
    area = scene.asks("area")
    ammo = scene.effect is not None and scene.effect.when == "ammo_test"
    traits = [*traits_of(scene, "Template" if area else "Sidearm"), *(() if ammo else ("Single Shot",))]
    arms = (gun("gun", *traits, strength=3), gun("other", "Sidearm", "Single Shot", strength=3))
    knobs = {}
    if (
        scene.does(special_rules.NoFurtherEffect)
        and scene.effect is not None
        and scene.effect.when == "wounded"
    ):
        knobs = {"dodge.from_area": "when_wounded"}
    people = {VEX: card(VEX, wounds=3), **cards(scene, MAGS, KRUG, weapons=arms, ballistic_skill=5)}
    table = given(*people.values(), knobs=knobs)
    if scene.does(special_rules.Inflicts):
        table = table.when(records.StateCondition(condition="hidden", fighter=KRUG))
    more: dict[str, Any] = {"cannot_be_moved": True, "target_psyker": scene.asks("against_psyker")}
    if area:
        return table, shot(None, range_band=None, under_template=(there(KRUG, cannot_be_moved=True),))
    if scene.does(special_rules.SpreadsHits):
        drawn = tuple(records.EligibleModel(fighter=model) for model in (KRUG, DOT))
        return table, shot(None, drawn_among=drawn)
    if scene.does(special_rules.NoPriorityTest):
        more["closest"] = False
    if scene.asks("interrupting"):
        more["using"] = ("overwatch",)
    if scene.does(special_rules.WithoutModifiers):
        more["cover"] = "full"
        more["also"] = records.SecondSidearm(weapon="other", range_band="short")
    if scene.asks("aiming"):
        more["modifiers"] = (records.ShotModifier(why="Aim", by=1),)
    if scene.does(special_rules.HitsNext):
        more["next_in_line"] = (there(VEX),)
    if scene.asks("behind"):
        more["behind"] = True
    return table, shot(range_band="long" if scene.asks("long_range") else "short", **more)


def played(scene: Scene) -> tuple[Table, records.Command]:
    """The scene as it stands before the command."""
    return fight_with(scene) if scene.melee else shot_with(scene)


def odds_without(scene: Scene) -> Ends | None:
    """The odds of the same scene without the row; None where it cannot be played so."""
    try:
        return odds_of_all(*played(replace(scene, there=False)), EVERYBODY)
    except Refusal:
        return None


@pytest.mark.slow
@every("scene", list(scenes()), ids=str)
def test_the_odds_of_a_fight_or_a_shot_with_each_row_are_those_of_every_die(scene: Scene) -> None:
    table, command = played(scene)
    counted = every_ends(table, command, EVERYBODY)
    assert all(sum(ends.values()) == 1 for ends in counted.values())
    assert odds_of_all(table, command, EVERYBODY) == counted
    assert odds_without(scene) != counted, (
        "the row does nothing here: give its effect a scene in which it acts"
    )
