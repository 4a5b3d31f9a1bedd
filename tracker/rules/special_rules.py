"""Special rules: weapon traits and skills as rows, each with effects out of a closed set.

Knows what a row says. Knows no fighter and rolls nothing: which rows act in an attack is
`rules/necromunda/rules_in_force.py`, what an effect does `campaign/steps/special_rules.py` and the step at
whose trigger it acts.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar, Final, Literal, TypeAlias, get_args

from msgspec import field

from tracker.rules.conversion import BookTable, Chapter, refuse_repeated
from tracker.rules.effects import TaggedRecord

Trigger: TypeAlias = Literal[
    "weapons",
    "attack_dice",
    "assist",
    "target_priority",
    "hit_roll",
    "missed",
    "hits_scored",
    "ammo_test",
    "beneath",
    "pinning",
    "hit",
    "wound_roll",
    "wounded",
    "save",
    "unsaved",
    "damage",
    "injury_dice",
    "injured",
    "after_attack",
    "consolidation",
    "end_phase",
    "vehicle_moves",
    "head_on",
]
"""When a rule acts: at the choice of weapons for close combat, at the Attack dice, where a friend assists,
before target priority and the hit roll, on a miss, when all Hit rolls of a fight are made, at an Ammo test,
before a Blast or Template hits who lies beneath, where a hit would pin, on the hit, in place of the wound
roll, on the wound roll that passed, at the save, when nothing saved, at the Damage, before the Injury dice,
after them, when the attack is over, at the consolidation, and in the End phase; at a Move or Ram of the
vehicle, and when it collides head-on.
"""

Condition: TypeAlias = Literal[
    "attack",
    "melee",
    "ranged",
    "short_range",
    "long_range",
    "area",
    "no_area",
    "behind",
    "in_front",
    "standing",
    "active",
    "prone",
    "in_the_open",
    "first_hit",
    "no_armour_penetration",
    "charging",
    "reaction",
    "on_foot",
    "psyker",
    "against_psyker",
    "aiming",
    "interrupting",
    "named_die",
    "natural_6_to_hit",
    "natural_5_to_hit",
    "natural_6_to_wound",
    "hit_reaches_strength",
    "hit_last",
    "wielder_of_melee",
    "has_it_already",
]
"""What must be so.

Of the hit: an attack did it (no fall); in close combat; by a shot; within the weapon's Short range, or
beyond; by a Blast or Template, or neither; the first of a hit roll; without AP; by a Melee weapon, or by one
that has the trait of the skill's name itself.
Of the target: the attacker is outside its vision arc, or within; Standing; Standing and not engaged;
Prone; in no cover; a psyker.
Of the attacker: charges; reacts; is not Mounted; is a psyker; aims; interrupts an enemy's action.
Of the dice: the one that the player named before the roll; a natural 6 to hit, or at least a 5; a natural 6
to wound; a hit die of at least the target's Strength. Of the attack: it hit nobody after the target.
"""

Bearer: TypeAlias = Literal["attacker", "target"]
"""As whom the fighter who has the rule takes part."""

Against: TypeAlias = Literal["fighter", "vehicle", "any"]
"""Whether an effect acts in attacks on fighters, on vehicles, or on both."""

Needs: TypeAlias = Literal[
    "toughness",
    "rear_toughness",
    "up_to_strength",
    "target_strength",
    "initiative",
    "cool",
    "willpower",
    "intelligence",
    "leadership",
    "handling",
]
"""What a die needs: at least the target's Toughness (of the facing that was hit, or of the rear), a natural 6
always; at most the target's Strength, a natural 6 never; at least the target's Strength; or a test of a
characteristic.
"""
Tested: TypeAlias = Literal["initiative", "cool", "willpower", "intelligence", "leadership"]
FURTHER_DIE, FRONT_DIE = "moves_further", "front_toughness"
"""What the dice of moves_further and hardens_front are for."""
ON_TWO_DICE = ("cool", "willpower", "intelligence", "leadership", "handling")


class RuleRoll(BookTable):
    """A die that decides whether an effect happens: a D6 against a number, or a test. `of` is whose
    characteristic is tested, and who rolls.
    """

    purpose: str
    needs: int | Needs
    modifier: int = 0
    of: Bearer = "target"

    @property
    def die(self) -> str:
        """The kind of the die: 'D6' or '2D6'."""
        return "2D6" if self.needs in ON_TWO_DICE else "D6"


class _Effect(TaggedRecord):
    at: ClassVar[tuple[Trigger, ...]]
    """The triggers at which such an effect can act."""


class OneHanded(_Effect):
    """An Unwieldy weapon is used in one hand, beside another weapon."""

    at = ("weapons",)


class BesideTheWeapons(_Effect):
    """The weapon is used beside those that a fighter may attack with, for Attack dice of its own."""

    at = ("weapons",)
    attack_dice: int


class ChangesAttackDice(_Effect):
    """Multiplies the Attacks characteristic, then adds Attack dice.

    `each_miss`: so many for each missed attack of the fighter reacted to. `as_weapons`: the weapon counts as
    so many.
    """

    at = ("attack_dice",)
    times: int = 1
    by: int = 0
    each_miss: int = 0
    as_weapons: int = 1


class AlwaysAssists(_Effect):
    """Gives an assist whomever else the fighter is engaged with."""

    at = ("assist",)


class NoPriorityTest(_Effect):
    """Any eligible target may be shot at without a Cool test."""

    at = ("target_priority",)


class OutOfReach(_Effect):
    """Cannot be chosen as a target."""

    at = ("target_priority",)


class ChangesRoll(_Effect):
    """Added to the hit roll; or to the save, like a shield, where the best of several counts."""

    at = ("hit_roll", "save")
    by: int


class WithoutModifiers(_Effect):
    """Modifiers to the hit roll that do not count; those in `softer` count this much instead."""

    at = ("hit_roll",)
    without: tuple[str, ...]
    softer: dict[str, int] = field(default_factory=dict)


class RollsAgain(_Effect):
    """A failed roll is repeated, and the second counts. `once_a_battle`: one roll in a battle."""

    at = ("missed", "ammo_test")
    once_a_battle: bool = False


class CannotBeParried(_Effect):
    """No weapon parries the hits; `but_by`: except one with this trait."""

    at = ("hits_scored",)
    but_by: str | None = None


class Parries(_Effect):
    """The attacker repeats a successful Hit roll: once for each weapon with the trait, up to a maximum; a
    skill counts as one more.
    """

    at = ("hits_scored",)
    weapons_max: int = 1


class SpreadsHits(_Effect):
    """Each hit falls at random on somebody in contact, friend or foe; a shot's target is drawn at random."""

    at = ("target_priority", "hits_scored")


class AmmoTestEachTime(_Effect):
    """No Firepower die: an Ammo test after each attack. If it fails, the ammunition is spent for the
    battle.
    """

    at = ("ammo_test",)


class AlwaysPins(_Effect):
    """Pins Standing and Active fighters, whatever would keep them up."""

    at = ("pinning",)


class ChangesStrength(_Effect):
    """Added to the Strength of the hit."""

    at = ("hit",)
    by: int


class ChangesToughness(_Effect):
    """Added to the Toughness of the target against this hit."""

    at = ("hit",)
    by: int


class ChangesArmourPenetration(_Effect):
    """Added to the AP of the hit, as much as the knob backstab.armour_penetration says."""

    at = ("hit",)


class KnockedBack(_Effect):
    """Moved away at once; if stated that it cannot be, the Damage rises instead; once a hit."""

    at = ("hit",)
    inches: int
    else_damage: int


class Inflicts(_Effect):
    """Puts the target in a condition. `reactions` is added to the Hit rolls of its Reaction attacks."""

    at = ("hit", "wound_roll", "after_attack")
    condition: Literal[
        "blind", "concussed", "insane", "on_fire", "dosed", "disarmed", "entangled", "revealed"
    ]
    reactions: int = 0


class WoundRolls(_Effect):
    """Several wound rolls for the hit, by a die."""

    at = ("wound_roll",)
    purpose: str


class Wounds(_Effect):
    """Wounds without a wound roll; with a roll of its own, that is made instead.

    `location`: where on a vehicle; `damage`: with this result there, and no Damage dice.
    """

    at = ("wound_roll",)
    location: str | None = None
    damage: str | None = None

    def __post_init__(self) -> None:
        if self.damage is not None and self.location is None:
            raise ValueError("a wound with a damage names its location")


class NoFurtherEffect(_Effect):
    """Spares the target: the rest of the hit or wound has no effect. At hits_scored the hit misses (by a
    roll, tried once in each fight), and at pinning the hit does not pin.

    `moves`: by moving up to so many inches, if that leads out from under a Blast or Template.
    """

    at = ("beneath", "hits_scored", "pinning", "hit", "wound_roll", "wounded")
    moves: int = 0


class AllowsSaves(_Effect):
    """Which saves are left."""

    at = ("save",)
    saves: Literal["field_only", "none"]


class BreaksShields(_Effect):
    """Shields add nothing, and a field rolls two dice, of which the lower counts."""

    at = ("save",)


class HitsNext(_Effect):
    """The attack goes on to the next model in the line, with less Strength."""

    at = ("unsaved",)
    strength: int


class ChangesDamage(_Effect):
    """Multiplies the Damage, then adds to it; after the Damage dice of a vehicle it adds dice instead."""

    at = ("damage", "injured")
    times: int = 1
    by: int = 0


class FewerInjuryDice(_Effect):
    """Fewer Injury dice; a single die becomes two, of which the target's owner keeps one."""

    at = ("injury_dice",)
    by: int


class OutOfActionUnrolled(_Effect):
    """Every Injury die of a hit that brings its target to 0 Wounds is Out of Action, unrolled."""

    at = ("injury_dice",)


class NerveTestInstead(_Effect):
    """No Injury roll: a fighter who fails the test breaks."""

    at = ("injury_dice",)


class WorsensFleshWound(_Effect):
    """One Flesh Wound of the Injury dice is a Serious Injury."""

    at = ("injured",)


class MoreFleshWounds(_Effect):
    """One more Flesh Wound."""

    at = ("after_attack",)


class DraggedAlong(_Effect):
    """Pulled towards the attacker by a D3 in inches."""

    at = ("after_attack",)
    purpose: str


class Consolidates(_Effect):
    """How far the fighter moves after a fight that left no enemy standing."""

    at = ("consolidation",)
    inches: int


class MarkerGoes(_Effect):
    """The marker that the weapon left on the battlefield is removed.

    `strikes`: it lies hidden until then, after a shot beyond sight, and first hits the models it touches.
    """

    at = ("end_phase",)
    strikes: bool = False


class TestsControl(_Effect):
    """The vehicle takes a Loss of Control test."""

    at = ("after_attack",)


class MovesFurther(_Effect):
    """The Movement rises by a D3 in inches for this move; a natural 1 does this damage to this location."""

    at = ("vehicle_moves",)
    location: Literal["body", "crew", "drive", "engine"]
    damage: Literal["glancing", "penetrating", "catastrophic"]


class HardensFront(_Effect):
    """The Front Toughness rises by a D3 until the collision is resolved."""

    at = ("head_on",)


Effect: TypeAlias = (
    OneHanded
    | BesideTheWeapons
    | ChangesAttackDice
    | AlwaysAssists
    | NoPriorityTest
    | OutOfReach
    | RollsAgain
    | CannotBeParried
    | Parries
    | SpreadsHits
    | AmmoTestEachTime
    | AlwaysPins
    | NoFurtherEffect
    | ChangesStrength
    | ChangesToughness
    | ChangesArmourPenetration
    | KnockedBack
    | Inflicts
    | WoundRolls
    | Wounds
    | AllowsSaves
    | ChangesRoll
    | WithoutModifiers
    | BreaksShields
    | HitsNext
    | ChangesDamage
    | FewerInjuryDice
    | OutOfActionUnrolled
    | NerveTestInstead
    | WorsensFleshWound
    | MoreFleshWounds
    | DraggedAlong
    | Consolidates
    | TestsControl
    | MarkerGoes
    | MovesFurther
    | HardensFront
)
"""Every kind of effect. Where several act at one trigger, they go in this order; of one kind, the attacker's
before the target's, then as the rows stand in the book."""


def kind_of(effect: type[_Effect]) -> str:
    """A row's name for a kind of effect."""
    return str(effect.__struct_config__.tag)


_ORDER: dict[type, int] = {kind: place for place, kind in enumerate(get_args(Effect))}


def place_of(effect: Effect) -> tuple[int, bool]:
    """The position of an effect among those at one trigger: a wound at a location after any other."""
    return _ORDER[type(effect)], isinstance(effect, Wounds) and effect.location is not None


FORMER_KINDS: Final[Mapping[str, str]] = {
    "hit_modifier": "changes_roll",
    "changes_save": "changes_roll",
    "turns_hit_to_miss": "no_further_effect",
    "stays_up": "no_further_effect",
    "strikes_location": "wounds",
}
"""What a table's rows, in logs and in files, may still call a kind of effect."""


class DeclaredEffect(BookTable):
    """One effect of a row: its trigger, conditions and die, and the effect itself.

    `bearer`: a weapon's trait belongs to the attacker, except traits that protect who carries it.
    `on_failure`: it happens when the roll fails. `since` and `until`: the first and last stage of the rules
    in whose battles it is in effect (ADR 29). `against`: the models it affects. `once_a_round`: one roll a
    round for its bearer.
    """

    when: Trigger
    then: Effect
    bearer: Bearer = "attacker"
    against: Against = "fighter"
    conditions: tuple[Condition, ...] = field(name="if", default=())
    roll: RuleRoll | None = None
    on_failure: bool = False
    since: int = 1
    until: int | None = None
    once_a_round: bool = False

    def __post_init__(self) -> None:
        if self.when not in self.then.at:
            raise ValueError(f"{self.then.kind} does not act at {self.when}: {', '.join(self.then.at)}")
        if self.on_failure and self.roll is None:
            raise ValueError(f"{self.then.kind} acts on a failure of no roll")

    def acts_in(self, stage: int) -> bool:
        """Whether it is in effect in battles of this stage of the rules."""
        return self.since <= stage and (self.until is None or stage <= self.until)

    def purposes(self) -> tuple[tuple[str, str], ...]:
        """The purposes it rolls dice for, each with its die."""
        asked = [] if self.roll is None else [(self.roll.purpose, self.roll.die)]
        match self.then:
            case WoundRolls(purpose=purpose):
                asked.append((purpose, "D6"))
            case DraggedAlong(purpose=purpose):
                asked.append((purpose, "D3"))
            case MovesFurther():
                asked.append((FURTHER_DIE, "D6"))
            case HardensFront():
                asked.append((FRONT_DIE, "D3"))
            case _:
                pass
        return tuple(asked)


DecidedBy: TypeAlias = Literal["movement", "sight", "order_of_play", "setting_up", "equipment", "scenery"]
"""What alone decides a row that asks for no die and changes no number that is kept here."""


def refuse_contradiction(
    effects: tuple[DeclaredEffect, ...], at_the_table: str, asks_for_nothing: DecidedBy | None
) -> None:
    """Raises ValueError for a row that asks for nothing, yet has an effect or no words on what the table
    does.
    """
    if asks_for_nothing is not None and (effects or not at_the_table):
        raise ValueError("asks_for_nothing goes with at_the_table, and without any effect")


class SkillRow(BookTable):
    """A skill: its effects here, and in a few words of our own what the table decides. `asks_for_nothing`: it
    has no die and no number here, and the reason.
    """

    skill: str = field(name="id")
    name: str
    of_set: str = field(name="set")
    effects: tuple[DeclaredEffect, ...] = field(name="effect", default=())
    at_the_table: str = ""
    asks_for_nothing: DecidedBy | None = None

    def __post_init__(self) -> None:
        refuse_contradiction(self.effects, self.at_the_table, self.asks_for_nothing)


class Skills(Chapter):
    """Every skill of a book that its sets list."""

    skills: tuple[SkillRow, ...] = field(name="skill")

    def __post_init__(self) -> None:
        refuse_repeated([row.skill for row in self.skills], "the skill")
