"""Sentences: every event as one plain line, rendered from the event alone.

Knows the words of the table. Knows no log and no book: what an event does not say is not said here
either, so the line cannot drift from the record.
"""

from __future__ import annotations

from typing import assert_never

from tracker.campaign.events import (
    AdvancementTaken,
    AlignmentStated,
    AmmoSpent,
    AttackDiceShared,
    BattleClosed,
    BattleOpened,
    BattleScarTaken,
    BecameChaosSpawn,
    BionicFitted,
    BlessingMarkersGained,
    BlessingMarkersSpent,
    BloodMarkersGained,
    BloodMarkersSpent,
    CampaignOpened,
    CaptiveFreed,
    CaptivePassedOn,
    CaptivePutToWork,
    CaptiveSold,
    CapturePending,
    CharacteristicChanged,
    CharacteristicKept,
    ChartRead,
    ConvalescenceEnded,
    CreditsMoved,
    CriticalInjuryPending,
    CriticalTreated,
    CycleBegan,
    DecisionTaken,
    DisputeReopened,
    DisputeSettledAgain,
    DisputeWithdrawn,
    DriverBlackedOut,
    DriverRecovered,
    DriverWokeUp,
    DriverWounded,
    Event,
    ExperienceGained,
    ExperienceSpent,
    FateDecided,
    FighterBroke,
    FighterCaptured,
    FighterConsolidated,
    FighterCostChanged,
    FighterDied,
    FighterEnlisted,
    FighterEscaped,
    FighterFled,
    FighterMissesBattle,
    FighterPinned,
    FighterPromoted,
    FighterRallied,
    FighterRenamed,
    FighterRetired,
    FighterStoodUp,
    FighterUnpinned,
    FighterWebbed,
    FighterWentDown,
    FighterWentOutOfAction,
    FightResolved,
    FleshWoundsSuffered,
    FlightMade,
    GangBottled,
    GangCorruptionStated,
    GangEnlisted,
    GearForfeited,
    GloryChanged,
    HeldForRansom,
    HelpNotCounted,
    ItemMoved,
    LastingDamageSuffered,
    LastingInjurySuffered,
    LimitedAmmoDeleted,
    LocationFound,
    MoraleTested,
    MutationCameAgain,
    MutationGained,
    NerveTested,
    PolicyAdopted,
    PolicyRepealed,
    PostBattleActionTaken,
    PostBattleDone,
    PromotionDieSpent,
    RallyTestTaken,
    RankChanged,
    RansomSettled,
    RareItemsSought,
    RatingRecorded,
    RecoveryAssisted,
    RecoveryEnded,
    ReinforcementsCalled,
    ReputationChanged,
    RescueEnded,
    RetreatTried,
    RollConfirmed,
    RollDisputed,
    RollMade,
    RuleNoted,
    RulingMade,
    SeriousInjuryOvercome,
    SeriousInjurySuffered,
    ShellShockTested,
    ShotFired,
    SkillGained,
    SlotKept,
    SlotReleased,
    SlotVoided,
    SpendingGranted,
    StepReached,
    TerritoryGained,
    TerritoryLost,
    ThresholdRaised,
    ToughnessSpent,
    VehicleCostChanged,
    VehicleCrewChanged,
    VehicleDamaged,
    VehicleDidNotStart,
    VehicleEnlisted,
    VehicleGone,
    VehicleHandlingHindered,
    VehicleHitPointsLost,
    VehicleLostControl,
    VehicleMoved,
    VehicleMovementCapped,
    VehicleRepaired,
    VehicleRestarted,
    VehicleRolledOn,
    VehicleShaken,
    VehicleStalled,
    VehicleWeaponDestroyed,
    VehicleWrecked,
    WarbandExplored,
    WeaponJammed,
    WeaponRanOutOfAmmo,
    WeaponReloaded,
    WebShed,
    WentIntoConvalescence,
    WentIntoRecovery,
    WoundsLost,
)
from tracker.dice import Die
from tracker.reports.asked import command_words
from tracker.reports.cards import characteristic_name, characteristic_shown, counted, plain, titled
from tracker.reports.dispute_words import dispute_sentence, ruling_words
from tracker.reports.flight_words import FLIGHT_ROLLS, flight_sentence
from tracker.reports.holdings_words import gang_sentence
from tracker.reports.mutation_words import MUTATION_ROLLS, mutation_sentence
from tracker.reports.names import Names
from tracker.reports.nerve_words import NERVE_ROLLS, WHY_OUT, nerve_sentence
from tracker.reports.paper import safe
from tracker.reports.post_battle_words import POST_BATTLE_ROLLS, post_battle_sentence
from tracker.reports.shooting_words import SHOOTING_ROLLS, shooting_sentence
from tracker.reports.vehicle_sentences import vehicle_sentence
from tracker.reports.warband_words import WARBAND_ROLLS, warband_sentence

__all__ = [
    "Names",
    "cell_shown",
    "command_words",
    "dice_words",
    "die_words",
    "gain_words",
    "roll_words",
    "section_of",
    "sentence",
]

_ROLLS = {
    **SHOOTING_ROLLS,
    **POST_BATTLE_ROLLS,
    **WARBAND_ROLLS,
    "wound": "wound roll",
    "save": "save roll",
    "location": "Location die",
    "vehicle_damage": "Damage die",
    "handling": "Handling test",
    "control": "Control die",
    "control_direction": "direction",
    "weapon_at_random": "weapon at random",
    "crew_injury": "Lasting Injury roll of the crew",
    "lasting_damage": "Lasting Damage roll",
    "thrown_clear": "Initiative test",
    "melee_hit": "hit roll",
    "injury": "Injury die",
    "lasting_injury": "Lasting Injury roll",
    "multiple_injuries_count": "number of further Lasting Injury rolls",
    "multiple_injuries": "further Lasting Injury roll",
    "lesson_learned": "Lesson Learned roll",
    "old_battle_wound": "Old Battle Wound roll",
    **NERVE_ROLLS,
    **FLIGHT_ROLLS,
    **MUTATION_ROLLS,
    "injury_chart": "Injury Chart die",
    "bloodbath": "Bloodbath die",
    "risky_stand": "die of the RISKY ACTION to stand",
    "troop_fate": "fate roll",
    "trauma": "Trauma roll",
    "bitter_lessons": "Bitter Lessons roll",
}
_MARKERS_SPENT_ON = {
    "action": "an ACTION",
    "attack": "an attack",
    "injury_roll": "the injury roll",
    "bloodbath": "Bloodbath",
}
_ORDINALS = {2: "2nd", 3: "3rd"}


def sentence(event: Event, names: Names, *, whose: bool = False) -> str:
    """One line for one event. `whose` puts the fighter before a roll, where no heading names them."""
    match event:
        case RollMade():
            return _roll(event, names, whose=whose)
        case RuleNoted():
            return f"no roll for {names.fighter(event.fighter)}: {plain(event.why)}"
        case WoundsLost():
            lost = counted(event.wounds_lost, "Wound")
            return f"{_who(event, names)} loses {lost}{_by(event.by, names, 'to')}: {event.wounds_left} left"
        case FleshWoundsSuffered():
            wounds = "a Flesh Wound" if event.flesh_wounds == 1 else f"{event.flesh_wounds} Flesh Wounds"
            left = f"Toughness {event.toughness} until the battle ends"
            return f"{_who(event, names)} suffers {wounds}{_by(event.by, names, 'from')}: {left}"
        case SeriousInjurySuffered():
            where = " in close combat" if event.in_close_combat else ""
            return f"{_who(event, names)} is Seriously Injured{where}{_by(event.by, names)}"
        case FighterWebbed():
            return f"{_who(event, names)} is Webbed{_by(event.by, names)}"
        case FighterPinned():
            return f"{_who(event, names)} is Prone and Pinned"
        case FighterWentOutOfAction():
            return _out_of_action(event, names)
        case LastingInjurySuffered():
            return _lasting_injury(event, names)
        case WentIntoConvalescence():
            return f"{_who(event, names)} goes into Convalescence"
        case ConvalescenceEnded():
            return f"{_who(event, names)} is out of Convalescence"
        case WentIntoRecovery():
            return f"{_who(event, names)} goes into Recovery and misses the gang's next battle"
        case RecoveryEnded():
            return f"{_who(event, names)} is out of Recovery"
        case CharacteristicChanged():
            before = characteristic_shown(event.characteristic, event.before)
            after = characteristic_shown(event.characteristic, event.after)
            changed = f"{characteristic_name(event.characteristic)} {before} -> {after}"
            return f"{_who(event, names)}: {changed} ({titled(event.why)})"
        case CharacteristicKept():
            value = characteristic_shown(event.characteristic, event.value)
            limit = "its limit"
            if event.with_characteristic is not None:
                limit = f"as {characteristic_name(event.with_characteristic)} is at its limit"
            kept = f"{characteristic_name(event.characteristic)} stays {value}, {limit}"
            return f"{_who(event, names)}: {kept} ({titled(event.why)})"
        case SkillGained():
            against = f" against {names.gang(event.against)}" if event.against is not None else ""
            return f"{_who(event, names)} gains {titled(event.skill)}{against} ({titled(event.why)})"
        case CapturePending():
            captor = f" by {names.anyone(event.captor)}" if event.captor is not None else ""
            return f"{_who(event, names)} might be captured{captor}: the escape roll is still to come"
        case CriticalInjuryPending():
            return f"{_who(event, names)} is critically injured and dies unless the Doc helps"
        case FighterDied():
            return f"{_who(event, names)} dies ({titled(event.why)})"
        case ExperienceGained():
            return f"{_who(event, names)} gains {event.amount} XP: {gain_words(event, names)}"
        case ChartRead():
            return chart_words(event, names)
        case BloodMarkersGained():
            gained = counted(event.gained, "Blood Marker")
            lost = f", {event.lost} over the most there can be" if event.lost else ""
            has = f"{event.markers} now"
            return f"{_who(event, names)} takes {gained}{_by(event.by, names, 'from')}{lost}: {has}"
        case BloodMarkersSpent():
            spent = counted(event.spent, "Blood Marker")
            left = f"{event.markers} left"
            on = _MARKERS_SPENT_ON.get(event.use) or plain(event.use)
            return f"{spent} of {_who(event, names)} spent on {on}: {left}"
        case FighterWentDown():
            return f"{_who(event, names)} is knocked Down{_by(event.by, names)}"
        case FighterStoodUp():
            moves = "movement halved" if event.movement_halved else "moves as ever"
            return f"{_who(event, names)} stands up, {moves}"
        case ToughnessSpent():
            return f"{_who(event, names)} is TOUGH and goes Down instead of Out of Action, this once"
        case FateDecided():
            return f"fate of {_who(event, names)}: {safe(event.name)}"
        case BattleScarTaken():
            borne = f"Battle Scar {event.scars} of {event.slots}"
            against = f" ({names.gang(event.against)})" if event.against is not None else ""
            return f"{_who(event, names)} bears {borne}, {titled(event.scar)}: {plain(event.means)}{against}"
        case GearForfeited():
            return f"{_who(event, names)} loses everything carried ({titled(event.why)})"
        case HeldForRansom():
            captor = f" by {names.gang(event.captor)}" if event.captor is not None else ""
            return f"{_who(event, names)} is held for ransom{captor}"
        case RankChanged():
            return (
                f"{_who(event, names)}: {plain(event.before)} -> {plain(event.after)} ({titled(event.why)})"
            )
        case AttackDiceShared():
            return _attack_dice(event, names)
        case HelpNotCounted():
            held_by = ", ".join(names.fighter(one) for one in event.held_by)
            against, busy = names.fighter(event.against), f"engaged with {held_by} too"
            if event.interference:
                return f"{_who(event, names)} does not interfere with {against}: {busy}"
            return f"{_who(event, names)} gives no assist against {against}: {busy}"
        case FightResolved():
            done = "Reaction attacks" if event.reaction else "close combat attacks"
            reactors = ", ".join(names.fighter(one) for one in event.may_react)
            return f"{_who(event, names)}: {done} done" + (f"; may react: {reactors}" if reactors else "")
        case FighterConsolidated():
            return f'{_who(event, names)} consolidates: moves up to {event.up_to_inches}"'
        case FighterUnpinned():
            if event.charged_by is None:
                return f"{_who(event, names)} stands up, Pinned no more"
            return (
                f"{_who(event, names)} is Standing and Engaged, charged by {names.fighter(event.charged_by)}"
            )
        case (
            NerveTested()
            | FighterBroke()
            | RallyTestTaken()
            | FighterRallied()
            | GangBottled()
            | FighterFled()
            | RecoveryAssisted()
            | SeriousInjuryOvercome()
            | WebShed()
        ):
            return nerve_sentence(event, names)
        case RetreatTried() | FlightMade():
            return flight_sentence(event, names)
        case GangCorruptionStated() | MutationGained() | MutationCameAgain() | BecameChaosSpawn():
            return mutation_sentence(event, names)
        case (
            ShotFired()
            | WeaponRanOutOfAmmo()
            | WeaponJammed()
            | AmmoSpent()
            | WeaponReloaded()
            | LimitedAmmoDeleted()
        ):
            return shooting_sentence(event, names)
        case BattleOpened():
            crews = ", ".join(
                f"{names.gang(gang)} ({counted(len(crew), 'fighter')})" for gang, crew in event.crews.items()
            )
            opened = f"battle {event.number} ({safe(event.battle)}) opens"
            return f"{opened}: {safe(event.scenario)}, {safe(event.date)}: {crews}"
        case BattleClosed():
            result = "no winner"
            if event.winner is not None:
                result = f"won by {names.gang(event.winner)}"
            elif event.drawn:
                result = "a draw"
            return f"{names.battle(event.battle)} closes: {result}"
        case GangEnlisted():
            gang = f"{safe(event.name)} ({titled(event.house)}, player {safe(event.player)})"
            return f"gang {gang} enlists: {counted(event.credits, 'credit')}, Reputation {event.reputation}"
        case FighterEnlisted():
            rank = plain(event.category)
            fighter = f"{safe(event.name)} ({rank}, {plain(event.kind)})"
            return f"{fighter} joins {names.gang(event.gang)} for {counted(event.cost_credits, 'credit')}"
        case FighterRetired():
            return f"{_who(event, names)} retires: {plain(event.reason)}"
        case FighterRenamed():
            return f"{safe(event.before)} is called {safe(event.after)} from now on"
        case CampaignOpened():
            return f"campaign {safe(event.name)} opens under {safe(event.book)}"
        case PolicyAdopted():
            policy = f"{safe(event.title)} ({safe(event.policy)}@{event.version})"
            return f"house rule {policy} holds from battle {event.from_battle} on: {safe(event.reason)}"
        case PolicyRepealed():
            policy = f"{safe(event.policy)}@{event.version}"
            return (
                f"house rule {policy} holds no more from battle {event.from_battle} on: {safe(event.reason)}"
            )
        case RulingMade():
            return _ruling(event)
        case RollConfirmed():
            return f"{safe(event.witness)} confirms {die_words(event.die)} of entry {event.target_entry}"
        case (
            RollDisputed()
            | DisputeWithdrawn()
            | DisputeReopened()
            | DisputeSettledAgain()
            | SlotVoided()
            | SlotKept()
            | SlotReleased()
        ):
            return dispute_sentence(event)
        case (
            VehicleEnlisted()
            | VehicleDamaged()
            | VehicleHitPointsLost()
            | VehicleShaken()
            | VehicleStalled()
            | VehicleMoved()
            | VehicleMovementCapped()
            | VehicleHandlingHindered()
            | VehicleWeaponDestroyed()
            | VehicleLostControl()
            | DriverWounded()
            | DriverBlackedOut()
            | VehicleWrecked()
            | LastingDamageSuffered()
            | VehicleDidNotStart()
            | VehicleRestarted()
            | DriverRecovered()
            | DriverWokeUp()
            | VehicleRolledOn()
        ):
            return vehicle_sentence(event, names)
        case (
            CreditsMoved()
            | ItemMoved()
            | FighterCostChanged()
            | VehicleCostChanged()
            | VehicleCrewChanged()
            | VehicleGone()
            | RatingRecorded()
            | ExperienceSpent()
            | AdvancementTaken()
            | FighterPromoted()
            | BionicFitted()
        ):
            return gang_sentence(event, names)
        case DecisionTaken():
            return command_words(event.command, names)
        case (
            AlignmentStated()
            | CaptiveFreed()
            | CaptivePassedOn()
            | CaptivePutToWork()
            | CaptiveSold()
            | CriticalTreated()
            | FighterCaptured()
            | FighterEscaped()
            | FighterMissesBattle()
            | PostBattleActionTaken()
            | PostBattleDone()
            | RareItemsSought()
            | ReputationChanged()
            | RescueEnded()
            | StepReached()
            | VehicleRepaired()
            | CycleBegan()
            | SpendingGranted()
            | TerritoryGained()
            | TerritoryLost()
        ):
            return post_battle_sentence(event, names)
        case (
            BlessingMarkersGained()
            | BlessingMarkersSpent()
            | GloryChanged()
            | LocationFound()
            | MoraleTested()
            | PromotionDieSpent()
            | RansomSettled()
            | ReinforcementsCalled()
            | ShellShockTested()
            | ThresholdRaised()
            | WarbandExplored()
        ):
            return warband_sentence(event, names)
        case _:
            assert_never(event)


def section_of(event: Event) -> str | None:
    """The rule that the event rests on, as the book's heading; None where the event names none."""
    match event:
        case (
            RollMade()
            | RuleNoted()
            | LastingInjurySuffered()
            | ExperienceGained()
            | ChartRead()
            | FateDecided()
            | VehicleDamaged()
            | LastingDamageSuffered()
        ):
            return safe(event.section) or None
        case AttackDiceShared() | HelpNotCounted() | ShotFired():
            return safe(event.section) or None
        case CreditsMoved() | ItemMoved() | RatingRecorded():
            return safe(event.section) or None
        case ExperienceSpent() | AdvancementTaken() | FighterPromoted() | BionicFitted():
            return safe(event.section) or None
        case ThresholdRaised() | ReinforcementsCalled() | WarbandExplored() | LocationFound():
            return safe(event.section) or None
        case PromotionDieSpent() | GloryChanged() | RansomSettled() | ShellShockTested() | MoraleTested():
            return safe(event.section) or None
        case _:
            return None


def roll_words(purpose: str) -> str:
    """'wound' as 'wound roll'."""
    return _ROLLS.get(purpose) or f"{plain(purpose)} roll"


def die_words(die: Die) -> str:
    """A die as it lay on the table: 'wound roll 4', 'Lasting Injury roll 4-6'."""
    return f"{roll_words(die.purpose)} {plain(die.shown())}{_by_tool(die.source)}"


def dice_words(dice: tuple[Die, ...]) -> str:
    """Several dice in a row; 'none' for none."""
    return ", ".join(die_words(die) for die in dice) or "none"


def cell_shown(cell: str) -> str:
    """'46' as people say it: '4-6'."""
    return "-".join(cell) if len(cell) == 2 and cell.isdecimal() else safe(cell)


def gain_words(event: ExperienceGained, names: Names) -> str:
    """Why XP was gained; the enemy is named where the reason does not do so itself."""
    reason = plain(event.reason)
    if event.victim is None or safe(names.fighters.get(event.victim, event.victim)) in reason:
        return reason
    return f"{reason} ({names.fighter(event.victim)})"


def _roll(event: RollMade, names: Names, *, whose: bool) -> str:
    # Outcomes may say first what was compared: "Strength 3 against Toughness 3: wounds".
    compared, _, outcome = plain(event.outcome).rpartition(": ")
    shown = "-".join(str(face) for face in event.faces) or plain(event.symbol or "")
    said = roll_words(event.purpose)
    if shown and shown.casefold() != outcome.casefold():
        said += f" {shown}"
    said += f", {compared}" if compared else ""
    said += "".join(f", {plain(modifier.why)} {modifier.by:+d}" for modifier in event.modifiers)
    needs = f" (needs {event.target}+)" if event.target is not None else ""
    before = f"{names.fighter(event.fighter)}: " if whose and event.fighter is not None else ""
    return f"{before}{said}{needs}{_by_tool(event.source)}: {outcome}"


def _by_tool(source: str) -> str:
    return {"generated": ", rolled by the tool", "ruling": ", set by ruling"}.get(source, "")


def _attack_dice(event: AttackDiceShared, names: Names) -> str:
    dice = counted(sum(share.attack_dice for share in event.shares), "Attack dice", "Attack dice")
    added = "".join(f", {plain(one.why)} {one.by:+d}" for one in event.added)
    shares = ", ".join(f"{safe(one.weapon) or 'unarmed'} {one.attack_dice}" for one in event.shares)
    return f"{_who(event, names)} has {dice} (Attacks {event.attacks}{added}): {shares}"


def _out_of_action(event: FighterWentOutOfAction, names: Names) -> str:
    why = ""
    if event.reason == "injury_dice" and event.out_of_action_dice > 1:
        why = f" on {event.out_of_action_dice} Injury dice"
    elif event.reason == "toughness":
        why = ", no Toughness left"
    elif event.reason == "vehicle_wrecked":
        why = ", in the wreck"
    elif event.reason == "stated":
        why = ", as stated"
    elif event.reason == "coup_de_grace":
        why = ", Coup de Grace"
    else:
        why = WHY_OUT.get(event.reason, "")
    # Some books decide after the battle what becomes of the fighter.
    rolls = counted(event.lasting_injury_rolls, "Lasting Injury roll") if event.lasting_injury_rolls else ""
    goes = "goes" if event.by is None else "is taken"
    said = f"{_who(event, names)} {goes} Out of Action{_by(event.by, names)}{why}"
    return f"{said}: {rolls}" if rolls else said


def _lasting_injury(event: LastingInjurySuffered, names: Names) -> str:
    cell = f" ({cell_shown(event.cell)})" if event.cell is not None else ""
    within = f", one of {titled(event.within)}" if event.within is not None else ""
    again = ""
    if event.occurrence > 1:
        again = f" for the {_ORDINALS.get(event.occurrence, f'{event.occurrence}th')} time"
    counts = f", counts as {titled(event.counts_as)}" if event.counts_as is not None else ""
    return (
        f"{_who(event, names)} suffers {safe(event.name)}{cell}{again}"
        f"{_by(event.by, names, 'from')}{within}{counts}"
    )


def chart_words(event: ChartRead, names: Names) -> str:
    """'Injury Chart for Vex: 5-4-1 (target is Down +1 DICE), 5+4, Standard Armour -1 = 8: Down'."""
    shown = "-".join(str(face) for face in event.faces)
    dice = "".join(f", {plain(reason.why)} {reason.by:+d} DICE" for reason in event.dice)
    kept = "+".join(str(face) for face in event.kept)
    moved = "".join(f", {plain(modifier.why)} {modifier.by:+d}" for modifier in event.modifiers)
    by = _by(event.by, names)
    said = f"{titled(event.chart)} for {_who(event, names)}{by}: {shown}{dice}; {kept}{moved} = {event.total}"
    return f"{said}: {safe(event.name)}"


def _ruling(event: RulingMade) -> str:
    verdict = ruling_words(event.dispute, event.verdict, reverses=event.reverses)
    if event.verdict == "house_rules":
        verdict += f" {safe(event.outcome)}"
    elif event.outcome is not None:
        verdict += f" as {plain(event.outcome)}"
    if event.before is not None and event.after is not None:
        verdict += (
            f", {die_words(event.before)} -> {plain(event.after.shown())}{_by_tool(event.after.source)}"
        )
    elif (die := event.before or event.after) is not None:
        verdict += f", {die_words(die)}"
    return f"{verdict}: {safe(event.reason)}"


def _by(fighter: str | None, names: Names, word: str = "by") -> str:
    return f" {word} {names.fighter(fighter)}" if fighter is not None else ""


_AboutFighter = (
    WoundsLost
    | FleshWoundsSuffered
    | SeriousInjurySuffered
    | FighterWebbed
    | FighterPinned
    | FighterWentOutOfAction
    | LastingInjurySuffered
    | WentIntoConvalescence
    | ConvalescenceEnded
    | WentIntoRecovery
    | RecoveryEnded
    | CharacteristicChanged
    | CharacteristicKept
    | SkillGained
    | CapturePending
    | CriticalInjuryPending
    | FighterDied
    | ExperienceGained
    | AttackDiceShared
    | FightResolved
    | FighterConsolidated
    | FighterUnpinned
    | HelpNotCounted
    | FighterRetired
    | ChartRead
    | BloodMarkersGained
    | BloodMarkersSpent
    | FighterWentDown
    | FighterStoodUp
    | ToughnessSpent
    | FateDecided
    | BattleScarTaken
    | GearForfeited
    | HeldForRansom
    | RankChanged
)


def _who(event: _AboutFighter, names: Names) -> str:
    return names.fighter(event.fighter)
