"""A game whose injuries are read off a chart: injury rolls, Blood Markers, standing up, fates, scars.

Stated are: dice added or taken away with reasons, whether Bloodbath is paid for, and the Blood Markers that
the opponent spends. What the card and the battle so far tell is not asked again. Source: Trench Crusade (1.6)
· Injury Chart.
"""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

from tracker.campaign.cards import on_combatant, on_fighter
from tracker.campaign.records import kinds
from tracker.campaign.records.declaring import Command, Event, Wording, command, event
from tracker.campaign.records.entries import Modifier
from tracker.campaign.state import CampaignState
from tracker.errors import BadInput, RulesRefuse
from tracker.records import Record
from tracker.rules.trench_crusade.injuries import BLOOD_MARKERS_MAX

ArmourWorn: TypeAlias = Literal["none", "standard", "reinforced", "machine"]
ChartResult: TypeAlias = Literal["no_effect", "minor_hit", "down", "out_of_action"]
Movement: TypeAlias = Literal["move", "dash", "charge", "jump", "climb"]
PoolDice: TypeAlias = Annotated[int, kinds.FieldKind(name="number", lowest=1, highest=6)]

_MARKERS_SPENT_ON = {
    "action": "an ACTION",
    "attack": "an attack",
    "injury_roll": "the injury roll",
    "bloodbath": "Bloodbath",
}


class StatedModifier(Record):
    """Something added to the total, or taken off."""

    why: kinds.Note
    """What for."""
    by: kinds.TestModifier
    """How much: +1 or -1."""


# --- commands --------------------------------------------------------------------------------------------


@command(
    "RollInjuryChart",
    part="Injury Chart",
    instead=("ResolveHit", "hit in a battle report"),
    game="injury_chart",
    exchange="injury_chart",
    asks="attacker? target plus_dice? minus_dice? spend_markers? bloodbath? spend_blessings?",
)
class RollInjuryChart(Command):
    """A roll on the Injury Chart against a model. Dice: injury_chart."""

    target: kinds.FighterId
    """The model that was hit."""
    attacker: kinds.FighterId | None = None
    """The model that hit it; left out where none did."""
    pool: PoolDice = 2
    """How many D6 are totalled, where a rule asks for more or fewer than two."""
    plus_dice: kinds.DiceReasons = ()
    """Reasons for +1 DICE each, or how many. Down, old scars and Blood Markers count by themselves."""
    minus_dice: kinds.DiceReasons = ()
    """Reasons for -1 DICE each, or how many."""
    modifiers: Annotated[tuple[StatedModifier, ...], kinds.Size(lowest=0, highest=10)] = ()
    """What else is added to the total. Armour and shield count by themselves."""
    spend_markers: kinds.MarkerCount = 0
    """Blood Markers of the target that its opponent spends, +1 DICE each."""
    bloodbath: bool = False
    """Whether Bloodbath is paid for: 6 Blood Markers of the target, 3 if it is Down."""
    armour: ArmourWorn | None = None
    """What armour counts against this roll, where it is not what the card says."""
    shield: bool | None = None
    """Whether a Trench Shield counts, where it is not as the card says."""
    tough: bool | None = None
    """Whether the model is TOUGH, where it is not as the card says."""
    in_melee: Annotated[bool, kinds.FileKey(name="melee")] = False
    """Whether it is a melee attack; asked for only where house rules count by it."""
    spend_blessings: kinds.MarkerCount = 0
    """Blessing Markers of the target that its owner spends, -1 DICE each."""
    armour_piercing: bool = False
    """Whether the attack has ARMOUR PIERCING; where house rules count it by name (1.0.2)."""
    deadly: bool = False
    """Whether the attack is DEADLY: 3D6 are totalled; where house rules count it by name (1.0.2)."""
    result: ChartResult | None = None
    """What the notes say the chart showed, when nobody kept the dice."""
    kept: Annotated[tuple[kinds.DieFace, ...], kinds.Size(highest=20)] | None = None
    """The faces that count, in any order, where they are to be checked; else they are worked out."""
    total: kinds.ChartTotal | None = None
    """What they come to with everything added, where it is to be checked."""

    def contradiction(self, written: frozenset[str]) -> str | None:
        if self.deadly and self.pool != 2:
            return "`deadly: true` says how many dice are totalled: take pool out."
        about_dice = written & {
            "armour_piercing",
            "deadly",
            "kept",
            "minus_dice",
            "modifiers",
            "plus_dice",
            "pool",
            "total",
        }
        if self.result is not None and about_dice:
            return f"`result` says what came of it: take {', '.join(sorted(about_dice))} out."
        return None

    def in_words(self, wording: Wording) -> str:
        result = f": {wording.words(self.result)}, as stated" if self.result is not None else ""
        bloodbath = ", Bloodbath" if self.bloodbath else ""
        attacker = wording.by(self.attacker)
        return f"Injury Chart for {wording.fighter(self.target)}{attacker}{bloodbath}{result}"


@command(
    "SpendBloodMarkers",
    part="Blood Markers",
    game="injury_chart",
    exchange="blood_markers",
    asks="fighter count use attacker?",
)
class SpendBloodMarkers(Command):
    """Blood Markers spent by the opponent on a roll that the table makes itself."""

    fighter: kinds.FighterId
    """The model that has them."""
    count: kinds.MarkerCount
    """How many are spent."""
    use: Literal["action", "attack"]
    """On an ACTION of the model (-1 DICE each) or on an attack against it (+1 DICE each)."""
    attacker: kinds.FighterId | None = None
    """Who attacks."""

    def in_words(self, wording: Wording) -> str:
        markers = f"{wording.counted(self.count, 'Blood Marker')} of {wording.fighter(self.fighter)}"
        return f"{markers} on {_MARKERS_SPENT_ON[self.use]}{wording.by(self.attacker)}"


@command(
    "StandUp",
    part="standing up from Down",
    instead=("TakeRecoveryTest", "recovery in a battle report"),
    game="injury_chart",
    exchange="stand",
    asks="fighter risky? plus_dice? minus_dice? spend_markers? spend_blessings?",
    action=("fighter", "down"),
)
class StandUp(Command):
    """A model that is Down stands up."""

    fighter: kinds.FighterId
    """Who stands up."""
    risky: bool = False
    """true in the activation in which it went Down: a RISKY ACTION. Dice: risky_stand."""
    plus_dice: kinds.DiceReasons = ()
    """Reasons for +1 DICE each, or how many."""
    minus_dice: kinds.DiceReasons = ()
    """Reasons for -1 DICE each, or how many. Being Down counts by itself."""
    spend_markers: kinds.MarkerCount = 0
    """Blood Markers that the opponent spends on it, -1 DICE each."""
    spend_blessings: kinds.MarkerCount = 0
    """Blessing Markers that the owner spends on it, +1 DICE each."""
    stood: bool | None = None
    """What the notes say of the RISKY ACTION, when nobody kept the dice."""
    kept: Annotated[tuple[kinds.DieFace, ...], kinds.Size(highest=20)] | None = None
    """The faces that count, in any order, where they are to be checked; else they are worked out."""
    total: kinds.ChartTotal | None = None
    """What they come to with everything added, where it is to be checked."""

    def contradiction(self, written: frozenset[str]) -> str | None:
        rolled = written - {"fighter", "risky"}
        if not self.risky and rolled:
            return (
                f"without `risky: true` there is no roll to stand up: take {', '.join(sorted(rolled))} out."
            )
        about_dice = {"kept", "minus_dice", "plus_dice", "total"} & rolled
        if self.stood is not None and about_dice:
            return f"`stood` says what came of it: take {', '.join(sorted(about_dice))} out."
        return None

    def in_words(self, wording: Wording) -> str:
        return f"stand up: {wording.fighter(self.fighter)}{', RISKY ACTION' if self.risky else ''}"


@command(
    "MoveModel",
    part="moves as entries",
    game="injury_chart",
    exchange="move",
    asks="fighter movement? just_stood? inches?",
    action=("fighter", "down"),
)
class MoveModel(Command):
    """A model moves by an ACTION of its own. A model that is Down does not."""

    fighter: kinds.FighterId
    """Who moves."""
    movement: Movement = "move"
    """How it moves."""
    just_stood: bool = False
    """Whether it stood up in this activation: it moves half as far."""
    distance_hundredths: Annotated[kinds.Hundredths, kinds.FileKey(name="inches")] | None = None
    """How far, in inches; of a Move it is checked against the card."""

    def in_words(self, wording: Wording) -> str:
        far = "" if self.distance_hundredths is None else f' {wording.inches(self.distance_hundredths)}"'
        stood = ", having stood up" if self.just_stood else ""
        return f"{wording.title(self.movement)}: {wording.fighter(self.fighter)}{far}{stood}"


@command(
    "DecideFate",
    part="Trauma table",
    instead=("StateOutcome", "out_of_action in a battle report"),
    game="injury_chart",
    exchange="trauma",
)
class DecideFate(Command):
    """The fate of a model that went Out of Action: troop_fate for a troop, trauma for an ELITE model. Without
    this entry it is rolled in the Wrap-up.
    """

    fighter: kinds.FighterId
    """Whose fate it is."""
    ransom: Literal["paid", "unpaid"] | None = None
    """What the players agreed on for a captive, if they have."""
    grudge_against: kinds.GangId | None = None
    """The {game.gang} that caused it, where nobody is known to have."""

    def in_words(self, wording: Wording) -> str:
        ransom = f", ransom {self.ransom}" if self.ransom is not None else ""
        return f"fate of {wording.fighter(self.fighter)}{ransom}"


# --- events ----------------------------------------------------------------------------------------------


@event("ChartRead")
class ChartRead(Event):
    """A pool of dice was totalled and read off a chart.

    `dice` are the reasons for more or fewer dice, `kept` the faces that count, `modifiers` what was added
    to their sum. `result` is the band's id, `name` its name.
    """

    chart: str
    fighter: kinds.FighterId
    by: kinds.FighterId | None
    dice: tuple[Modifier, ...]
    faces: tuple[int, ...]
    kept: tuple[int, ...]
    modifiers: tuple[Modifier, ...]
    total: int
    result: str
    name: str
    section: str

    def in_words(self, wording: Wording) -> str:
        """'Injury Chart for Vex: 5-4-1 (target is Down +1 DICE), 5+4, Standard Armour -1 = 8: Down'."""
        shown = "-".join(str(face) for face in self.faces)
        dice = "".join(f", {wording.words(reason.why)} {reason.by:+d} DICE" for reason in self.dice)
        kept = "+".join(str(face) for face in self.kept)
        moved = "".join(f", {wording.words(modifier.why)} {modifier.by:+d}" for modifier in self.modifiers)
        who = f"{wording.fighter(self.fighter)}{wording.by(self.by)}"
        added = f"{kept}{moved} = {self.total}"
        return f"{wording.title(self.chart)} for {who}: {shown}{dice}; {added}: {wording.text(self.name)}"


@event("BloodMarkersGained")
class BloodMarkersGained(Event):
    """A model gained Blood Markers. `lost` is the number over its limit; `markers` is its present number."""

    fighter: kinds.FighterId
    by: kinds.FighterId | None
    gained: int
    lost: int
    markers: int

    def in_words(self, wording: Wording) -> str:
        gained = f"{wording.counted(self.gained, 'Blood Marker')}{wording.by(self.by, 'from')}"
        lost = f", {self.lost} lost over the limit" if self.lost else ""
        return f"{wording.fighter(self.fighter)} takes {gained}{lost}: {self.markers} now"

    def apply(self, state: CampaignState) -> CampaignState:
        return on_combatant(state, self.fighter, blood_markers=self.markers)


@event("BloodMarkersSpent")
class BloodMarkersSpent(Event):
    """The opponent took Blood Markers off a model; `markers` are left. `use` is injury_roll, bloodbath,
    action or attack.
    """

    fighter: kinds.FighterId
    spent: int
    use: str
    markers: int

    def in_words(self, wording: Wording) -> str:
        spent = f"{wording.counted(self.spent, 'Blood Marker')} of {wording.fighter(self.fighter)}"
        on = _MARKERS_SPENT_ON.get(self.use) or wording.words(self.use)
        return f"{spent} spent on {on}: {self.markers} left"

    def apply(self, state: CampaignState) -> CampaignState:
        return on_combatant(state, self.fighter, blood_markers=self.markers)


@event("FighterWentDown")
class FighterWentDown(Event):
    """A model is Down until it stands up."""

    fighter: kinds.FighterId
    by: kinds.FighterId | None

    def in_words(self, wording: Wording) -> str:
        return f"{wording.fighter(self.fighter)} is knocked Down{wording.by(self.by)}"

    def apply(self, state: CampaignState) -> CampaignState:
        return on_combatant(state, self.fighter, down=True)


@event("ToughnessSpent")
class ToughnessSpent(Event):
    """TOUGH kept the model from going Out of Action; it does so once in a battle."""

    sentence = "{fighter} is TOUGH and goes Down instead of Out of Action, this once"

    fighter: kinds.FighterId

    def apply(self, state: CampaignState) -> CampaignState:
        return on_combatant(state, self.fighter, tough_spent=True)


@event("FighterStoodUp")
class FighterStoodUp(Event):
    """A model stood up. `movement_halved`: for the rest of this activation."""

    fighter: kinds.FighterId
    movement_halved: bool

    def in_words(self, wording: Wording) -> str:
        moves = "movement halved" if self.movement_halved else "full movement"
        return f"{wording.fighter(self.fighter)} stands up, {moves}"

    def apply(self, state: CampaignState) -> CampaignState:
        return on_combatant(state, self.fighter, down=False)


@event("FateDecided")
class FateDecided(Event):
    """The fate of a model that went Out of Action: the row or band, and its name."""

    sentence = "fate of {fighter}: {name}"

    fighter: kinds.FighterId
    fate: str
    name: str
    section: str

    def apply(self, state: CampaignState) -> CampaignState:
        return on_combatant(state, self.fighter, fate_decided=True)


@event("BattleScarTaken")
class BattleScarTaken(Event):
    """The `scars`th scar of `slots` that can be borne. `against` is the gang that it is about, if any."""

    fighter: kinds.FighterId
    scar: kinds.RowId
    means: kinds.Note
    scars: int
    slots: int
    against: kinds.GangId | None

    def in_words(self, wording: Wording) -> str:
        borne = f"Battle Scar {self.scars} of {self.slots}, {wording.title(self.scar)}"
        against = f" ({wording.gang(self.against)})" if self.against is not None else ""
        return f"{wording.fighter(self.fighter)} bears {borne}: {wording.words(self.means)}{against}"

    def apply(self, state: CampaignState) -> CampaignState:
        return on_fighter(state, self.fighter, scars=self.scars)


@event("GearForfeited")
class GearForfeited(Event):
    """All weapons, armour and other gear on the card were lost."""

    sentence = "{fighter} loses everything carried ({why})"

    fighter: kinds.FighterId
    why: kinds.RowId

    def apply(self, state: CampaignState) -> CampaignState:
        return on_fighter(state, self.fighter, weapons=(), wargear=(), armour=None, field_armour=None)


@event("HeldForRansom")
class HeldForRansom(Event):
    """A model was Captured. It cannot fight until the ransom is settled. `captor` is a gang."""

    fighter: kinds.FighterId
    captor: kinds.GangId | None

    def in_words(self, wording: Wording) -> str:
        captor = f" by {wording.gang(self.captor)}" if self.captor is not None else ""
        return f"{wording.fighter(self.fighter)} is held for ransom{captor}"

    def apply(self, state: CampaignState) -> CampaignState:
        return on_fighter(state, self.fighter, capture_pending=True, captor=self.captor)


@event("RankChanged")
class RankChanged(Event):
    """A model's rank changed."""

    sentence = "{fighter}: {before} -> {after} ({why})"

    fighter: kinds.FighterId
    before: kinds.Note
    after: kinds.Note
    why: kinds.RowId

    def apply(self, state: CampaignState) -> CampaignState:
        return on_fighter(state, self.fighter, category=self.after)


class FateNotOpen(RulesRefuse):
    """{fighter} did not go Out of Action in battle {battle!r}, so there is no fate to roll for. Record first
    what took the model out.
    """

    fighter: str
    battle: str


class FateDecidedAlready(RulesRefuse):
    """The fate of {fighter} in this battle is decided already. A wrong roll is put right with 'arbitrator
    dispute open'.
    """

    fighter: str


class NobodyToRansom(RulesRefuse):
    """{fighter} is no captive but {fate}: take 'ransom' out."""

    fighter: str
    fate: str


class KeywordNotCounted(RulesRefuse):
    """By this campaign's policies {keyword} is not counted by name: write {instead} ({section})."""

    keyword: str
    instead: str
    section: str


class TooFewBloodMarkers(RulesRefuse):
    fighter: str
    held: int
    wanted: int

    def message(self) -> str:
        return (
            f"{self.fighter} has {self.held} Blood Marker{'' if self.held == 1 else 's'}, and {self.wanted}"
            " would be spent (Bloodbath takes 6, or 3 from a model that is Down)."
        )


class NotOnAttacks(RulesRefuse):
    """By this campaign's house rules the Blood Markers of {fighter} are not spent on attack rolls
    ({section}).
    """

    fighter: str
    section: str


class TooFewBlessingMarkers(RulesRefuse):
    fighter: str
    held: int
    wanted: int

    def message(self) -> str:
        markers = f"{self.held} Blessing Marker{'' if self.held == 1 else 's'}"
        return f"{self.fighter} has {markers}, and {self.wanted} would be spent."


class NoMarkers(BadInput):
    count: int

    def message(self) -> str:
        return f"Between 1 and {BLOOD_MARKERS_MAX} markers are put on or taken off, not {self.count}."


class DiceCountOtherwise(BadInput):
    """The entry says {stated}. But of {faces} the dice {kept} count, and they come to {total}. Correct it, or
    leave it out: the program works it out.
    """

    faces: str
    kept: str
    total: int
    stated: str


class NotDown(RulesRefuse):
    """{fighter} is not Down, so there is nothing to stand up from."""

    fighter: str


class DownDoesNotMove(RulesRefuse):
    """{fighter} is Down and cannot move by its own ACTIONS ({section}). At the start of its activation it may
    stand up ('stand'), and moves half as far then.
    """

    fighter: str
    section: str


class MovesTooFar(RulesRefuse):
    """{fighter} moves {most}" at most{why}, not {inches}" ({section})."""

    fighter: str
    inches: str
    most: str
    why: str
    section: str


class StandsWithoutRoll(BadInput):
    """{fighter} stands up at the start of an activation without any roll: take dice, markers and 'stood' out,
    or say 'risky: true' for the activation in which the model went Down.
    """

    fighter: str


class NoRollToSpendOn(BadInput):
    """No roll is made for this fall of {fighter}: take the markers out ({section})."""

    fighter: str
    section: str
