"""Warbands between battles: XP, Threshold, Reinforcements, exploration, Glory, ransoms, latecomers.

What the book prints is in `rules/warband_tables.py`. Source: Trench Crusade (1.6) · Campaign · After the
battle.
"""

from __future__ import annotations

from tracker.campaign import records
from tracker.campaign.holdings import rating
from tracker.campaign.steps.decision import Decision
from tracker.campaign.steps.dispatch import handles
from tracker.campaign.steps.experience import gain_experience
from tracker.campaign.steps.ledger import REINFORCED, give_up, move_credits
from tracker.campaign.steps.post_battle_sequence import advance_once, advance_to, after_battle
from tracker.campaign.steps.trauma_effects import earns_nothing, lose_gear
from tracker.rules import effects as fx
from tracker.rules.trench_crusade import trauma as trauma_rules
from tracker.rules.trench_crusade import warbands as rules
from tracker.rules.warband_tables import ExplorationBand


@handles(records.AwardBattleExperience)
def award_battle_experience(decision: Decision, command: records.AwardBattleExperience) -> None:
    """XP for every ELITE model that was in the battle, Out of Action or not, and one more for Glorious Deeds.

    Source: Trench Crusade (1.6) · Campaign · Experience.
    """
    book = decision.rulebook.book.warbands
    gang = decision.gang(command.gang)
    after = after_battle(decision, command.gang, what="experience")
    crew, section = after.crews[command.gang], decision.rulebook.section("experience")
    for name in command.deeds:
        doer = decision.fighter(name)
        if name not in crew:
            raise records.NotInThatBattle(fighter=doer.name, gang=gang.name, battle=after.battle)
        if doer.category != book.elite.rank:
            raise records.NotElite(fighter=doer.name, rank=doer.category, what="XP", section=section)
        if doer.standing != "enlisted":
            raise records.FighterGone(fighter=doer.name, standing=doer.standing)
    cause = advance_once(decision, command.gang, "battle_experience", what="gained the XP of this battle")
    for name in crew:
        fighter = decision.fighter(name)
        if fighter.category == book.elite.rank and fighter.standing == "enlisted":
            _gain(decision, name, book.experience.survived, reason="survived the battle", cause=cause)
            if name in command.deeds:
                _gain(decision, name, book.experience.deed, reason="a Glorious Deed", cause=cause)


@handles(records.AwardLatecomer)
def award_latecomer(decision: Decision, command: records.AwardLatecomer) -> None:
    """XP for each battle that an ELITE model missed because it joined late."""
    decision.refuse_during_battle()
    book, fighter = decision.rulebook.book.warbands, decision.enlisted(command.fighter)
    if fighter.category != book.elite.rank:
        section = decision.rulebook.section("latecomers")
        raise records.NotElite(fighter=fighter.name, rank=fighter.category, what="XP", section=section)
    if not 1 <= command.missed <= 50:
        raise records.NoBattleMissed(missed=command.missed)
    each = book.experience.latecomer[decision.rulebook.knob("experience.latecomer")]
    battles = f"{command.missed} battle{'' if command.missed == 1 else 's'} missed"
    _gain(decision, command.fighter, each * command.missed, reason=battles, cause=0, section="latecomers")


@handles(records.RaiseThreshold)
def raise_threshold(decision: Decision, command: records.RaiseThreshold) -> None:
    """Set what the warband may have in its next game, by the number it has fought."""
    decision.refuse_during_battle()
    book, gang = decision.rulebook.book.warbands, decision.gang(command.gang)
    cause = advance_once(decision, command.gang, "threshold", what="raised its Threshold")
    now = book.threshold(gang.battles + 1 if command.game is None else command.game)
    decision.emit(
        records.ThresholdRaised(
            gang=command.gang,
            game=now.game,
            ducats=now.ducats,
            field_strength=now.field_strength,
            section=decision.rulebook.section("threshold"),
        ),
        cause=cause,
    )


@handles(records.CallReinforcements)
def call_reinforcements(decision: Decision, command: records.CallReinforcements) -> None:
    """Give up all ducats and unassigned items for ducats up to the Threshold, to be spent at once.

    Source: Trench Crusade (1.6) · Campaign · Reinforcements.
    """
    gang, section = decision.gang(command.gang), decision.rulebook.section("reinforcements")
    after = after_battle(decision, command.gang, what="Reinforcements")
    threshold = gang.threshold_ducats
    if threshold is None or "threshold" not in after.done:
        raise records.ThresholdNotRaised(gang=gang.name, section=section)
    cause = advance_once(decision, command.gang, "reinforcements", what="called Reinforcements")
    give_up(decision, command.gang, why="given up for Reinforcements", cause=cause)
    worth = rating(decision.gang(command.gang)) if command.worth is None else command.worth
    ducats = max(0, threshold - command.less - worth)
    called = decision.emit(
        records.ReinforcementsCalled(
            gang=command.gang,
            threshold=threshold,
            worth=worth,
            less=command.less,
            ducats=ducats,
            section=section,
        ),
        cause=cause,
    )
    move_credits(
        decision,
        "@reinforcements",
        command.gang,
        ducats,
        why="up to the Threshold",
        section="reinforcements",
        cause=called,
    )


@handles(records.Explore)
def explore(decision: Decision, command: records.Explore) -> None:
    """Dice by battles fought, some rolled again. Their sum is loot in ducats, and may find a location.

    Source: Trench Crusade (1.6) · Campaign · Looting and Exploration.
    """
    book, gang = decision.rulebook.book.warbands, decision.gang(command.gang)
    section = decision.rulebook.section("exploration")
    after = after_battle(decision, command.gang, what="exploration")
    if REINFORCED in after.done:
        raise records.CalledInstead(gang=gang.name, section=section)
    band = book.exploring(gang.battles)
    dice = band.dice + command.more_dice
    won = after.winner == command.gang
    allowed = book.exploration.rerolls + (book.exploration.rerolls_won if won else 0) + command.more_rerolls
    if len(command.rerolls) > allowed:
        raise records.TooManyRerolls(
            gang=gang.name, allowed=allowed, wanted=len(command.rerolls), section=section
        )
    twice = len(set(command.rerolls)) < len(command.rerolls)
    if twice or not all(1 <= reroll <= dice for reroll in command.rerolls):
        raise records.NoSuchDie(rerolls=command.rerolls, dice=dice)
    cause = advance_once(decision, command.gang, "exploration", what="explored")
    faces, cause = _exploration_dice(decision, command, dice, cause=cause)
    score = sum(faces)
    explored = decision.emit(
        records.WarbandExplored(
            gang=command.gang,
            faces=faces,
            score=score,
            ducats=score * book.exploration.ducats_per_pip,
            section=section,
        ),
        cause=cause,
    )
    move_credits(
        decision,
        "@exploration",
        command.gang,
        score * book.exploration.ducats_per_pip,
        why=f"loot of {score}",
        section="exploration",
        cause=explored,
    )
    _find(decision, command, band, score, cause=explored)


@handles(records.ChangeGlory)
def change_glory(decision: Decision, command: records.ChangeGlory) -> None:
    """Gain or spend Glory, which never falls below 0."""
    decision.refuse_during_battle()
    gang = decision.gang(command.gang)
    if gang.glory + command.by < 0:
        raise records.NotEnoughGlory(gang=gang.name, glory=gang.glory, needed=-command.by)
    cause = advance_to(decision, command.gang, "glory") if command.by < 0 else 0
    decision.emit(
        records.GloryChanged(
            gang=command.gang,
            before=gang.glory,
            after=gang.glory + command.by,
            why=command.why,
            section=decision.rulebook.section("glory"),
        ),
        cause=cause,
    )


@handles(records.SettleRansom)
def settle_ransom(decision: Decision, command: records.SettleRansom) -> None:
    """A ransom is paid later than the roll, or the players say that it never will be.

    Source: Trench Crusade (1.6) · Campaign · Trauma · Captured.
    """
    decision.refuse_during_battle()
    fighter, section = decision.enlisted(command.fighter), decision.rulebook.section("ransom")
    if not fighter.capture_pending:
        raise records.NotHeldForRansom(fighter=fighter.name)
    holder = command.to or fighter.captor
    if command.ducats is None:
        if not any(ransom.unpaid == "death" for ransom in _ransoms(decision)):
            raise records.StaysCaptive(fighter=fighter.name, section=section)
        settled = decision.emit(
            records.RansomSettled(fighter=command.fighter, to=holder, ducats=None, section=section)
        )
        why = "Captured, ransom unpaid"
        died = decision.emit(records.FighterDied(fighter=command.fighter, why=why), cause=settled)
        if any(ransom.unpaid_loses_gear for ransom in _ransoms(decision)):
            lose_gear(decision, command.fighter, why=why, cause=died)
        return
    if holder is None:
        raise records.WhoIsPaid(fighter=fighter.name)
    if holder == fighter.gang:
        raise records.PaysThemselves(gang=decision.gang(holder).name)
    decision.gang(holder)
    settled = decision.emit(
        records.RansomSettled(fighter=command.fighter, to=holder, ducats=command.ducats, section=section)
    )
    move_credits(
        decision,
        fighter.gang,
        holder,
        command.ducats,
        why=f"ransom for {fighter.name}",
        section="ransom",
        fighter=command.fighter,
        cause=settled,
    )


@handles(records.RollShellShock)
def roll_shell_shock(decision: Decision, command: records.RollShellShock) -> None:
    """A die before a battle for a Shell Shocked model: on 1 or 2 the model misses it, or (1.0) is hindered.

    Source: Trench Crusade (1.6) · Campaign · Trauma · Shell Shocked.
    """
    decision.refuse_during_battle()
    fighter = decision.enlisted(command.fighter)
    table = trauma_rules.trauma_table(decision.rulebook)
    shocks = [
        effect
        for suffered in fighter.injuries
        if table.has_row(suffered.counted_as)
        for effect in table.row(suffered.counted_as).effects
        if isinstance(effect, fx.BeforeBattle)
    ]
    if not shocks:
        raise records.NotShellShocked(fighter=fighter.name)
    coming = decision.gang(fighter.gang).battles + 1
    if fighter.shock_tested == coming:
        raise records.ShockTestedAlready(fighter=fighter.name, battle=coming)
    die = decision.tray.d6("shell_shock", why="before the next battle", fighter=command.fighter)
    bears = die.face > shocks[0].on
    means = "" if bears else shocks[0].means
    rolled = decision.roll(
        die,
        outcome="bears it" if bears else means,
        section="shell_shock",
        rolled_by=fighter.gang,
        target=shocks[0].on + 1,
        passed=bears,
    )
    tested = decision.emit(
        records.ShellShockTested(
            fighter=command.fighter,
            battle=coming,
            bears=bears,
            means=means,
            section=decision.rulebook.section("shell_shock"),
        ),
        cause=rolled,
    )
    if not bears and shocks[0].misses:
        before = decision.state.battle_number - 1
        missing = records.FighterMissesBattle(fighter=command.fighter, battle=before, why="Shell Shocked")
        decision.emit(missing, cause=tested)


def _exploration_dice(
    decision: Decision, command: records.Explore, dice: int, *, cause: int
) -> tuple[tuple[int, ...], int]:
    faces = []
    for nth in range(1, dice + 1):
        die = decision.tray.d6("exploration", why=f"exploration of {command.gang}, die {nth} of {dice}")
        faces.append(die.face)
        outcome = "rolled again" if nth in command.rerolls else "counts"
        cause = decision.roll(
            die, outcome=outcome, section="exploration", rolled_by=command.gang, cause=cause
        )
    for nth in command.rerolls:
        die = decision.tray.d6("exploration_reroll", why=f"exploration of {command.gang}, die {nth} again")
        faces[nth - 1] = die.face
        cause = decision.roll(
            die, outcome=f"counts as die {nth}", section="exploration", rolled_by=command.gang, cause=cause
        )
    return tuple(faces), cause


def _find(
    decision: Decision, command: records.Explore, band: ExplorationBand, score: int, *, cause: int
) -> None:
    """The location that the players' own table has for exactly this score."""
    if command.location is None and command.location_score is None and command.location_kind is None:
        return
    if command.location is None or command.location_score is None:
        raise records.LocationIncomplete
    section = decision.rulebook.section("exploration")
    if command.location_score != score:
        raise records.LocationNotThere(
            location=command.location, score=score, needed=command.location_score, section=section
        )
    if command.location_kind is not None and command.location_kind not in band.finds:
        raise records.LocationOfAnotherTable(
            location=command.location,
            kind=command.location_kind,
            finds=band.finds,
            battles=decision.gang(command.gang).battles,
            section=section,
        )
    known = {location.casefold() for location in decision.state.locations_found}
    if command.location.casefold() in known:
        raise records.LocationFoundBefore(location=command.location, section=section)
    decision.emit(
        records.LocationFound(
            gang=command.gang,
            location=command.location,
            kind=command.location_kind,
            score=score,
            section=section,
        ),
        cause=cause,
    )


def _gain(
    decision: Decision, name: str, amount: int, *, reason: str, cause: int, section: str = "experience"
) -> None:
    """XP, up to the most that a model with Limited Potential can have."""
    book, fighter = decision.rulebook.book.warbands, decision.fighter(name)
    if earns_nothing(decision, fighter):
        why = "no XP, until a promotion die gives it back"
        decision.note_rule(name, why, section=section, cause=cause)
        return
    if rules.is_limited(fighter.skills, decision.rulebook):
        amount = min(amount, max(0, book.experience.limited_to - fighter.experience))
    if amount:
        gain_experience(decision, name, amount, reason=reason, section=section, cause=cause)
    else:
        why = f"no XP, Limited Potential ends at {book.experience.limited_to}"
        decision.note_rule(name, why, section=section, cause=cause)


def _ransoms(decision: Decision) -> tuple[fx.Ransom, ...]:
    table = trauma_rules.trauma_table(decision.rulebook)
    return tuple(effect for row in table.rows for effect in row.effects if isinstance(effect, fx.Ransom))
