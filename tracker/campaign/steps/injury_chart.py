"""The Injury Chart: pools of dice, Blood Markers, Down, Tough, Out of Action; standing up again.

The order is that of the table: the opponent spends, the dice are counted, rolled and kept, armour takes off,
the chart is read, TOUGH steps in, markers are placed. The numbers are in `rules/trench_crusade/injuries.py`.
Source: Trench Crusade (1.6) · Injury Chart.
"""

from __future__ import annotations

from tracker.campaign import records
from tracker.campaign.steps import markers
from tracker.campaign.steps.decision import Decision, as_modifiers
from tracker.campaign.steps.dispatch import handles
from tracker.campaign.steps.harm import Harm, opponent
from tracker.campaign.steps.markers import gain_markers, harm_between, refuse_overspending, spend
from tracker.rules.combat_tables import ArmourKind
from tracker.rules.modifiers import nonzero
from tracker.rules.rulebook import BookHasNo
from tracker.rules.tables import Band
from tracker.rules.trench_crusade import injuries as rules
from tracker.rules.trench_crusade import warbands
from tracker.rules.trench_crusade.trauma import injury_dice_against


@handles(records.RollInjuryChart)
def roll_injury_chart(decision: Decision, command: records.RollInjuryChart) -> None:
    """Roll on the Injury Chart against a model, or take the result that the notes give."""
    chart = decision.rulebook.book.chart("injury_chart")
    _refuse_keywords(decision, command)
    harm = harm_between(decision, command.target, command.attacker, what="an injury roll")
    target = decision.combatant(command.target, what="an injury roll")
    cost = rules.bloodbath_cost(target_is_down=target.down) if command.bloodbath else 0
    refuse_overspending(decision, command.target, command.spend_markers + cost)
    cause = spend(decision, command.target, command.spend_markers, use="injury_roll", cause=0)
    cause = spend(decision, command.target, cost, use="bloodbath", cause=cause)
    markers.refuse_overspending_blessings(decision, command.target, command.spend_blessings)
    cause = markers.spend_blessings(
        decision, command.target, command.spend_blessings, use="injury_roll", cause=cause
    )
    if command.result is not None:
        _apply(decision, harm, command, chart.band(command.result), cause=cause)
        return
    dice = _dice_reasons(decision, command)
    pool = rules.injury_pool(
        start=rules.DEADLY_POOL if command.deadly else command.pool,
        plus_dice=sum(reason.by for reason in dice if reason.by > 0),
        minus_dice=-sum(reason.by for reason in dice if reason.by < 0),
        bloodbath=command.bloodbath,
        rulebook=decision.rulebook,
    )
    faces, cause = _roll_injury_dice(decision, harm, pool, cause=cause)
    kept = pool.kept(faces)
    modifiers = _flat_modifiers(decision, command)
    total = sum(kept) + sum(modifier.by for modifier in modifiers)
    markers.check_dice_stated(command, faces, kept, total)
    band = chart.read(total)
    read = decision.emit(
        records.ChartRead(
            chart=chart.id,
            fighter=command.target,
            by=command.attacker,
            dice=dice,
            faces=faces,
            kept=kept,
            modifiers=modifiers,
            total=total,
            result=band.id,
            name=band.name,
            section=decision.rulebook.section("injury_chart"),
        ),
        cause=cause,
    )
    _apply(decision, harm, command, band, cause=read)


@handles(records.StandUp)
def stand_up(decision: Decision, command: records.StandUp) -> None:
    """A model that is Down stands up: freely at the start of its activation, else by a RISKY ACTION.

    Source: Trench Crusade (1.6) · Injury Chart · Warrior Down!
    """
    chart = decision.rulebook.book.chart("action_chart")
    fighter = decision.fighter(command.fighter)
    combatant = decision.combatant(command.fighter, what="standing up")
    if not combatant.down:
        raise records.NotDown(fighter=fighter.name)
    if not command.risky:
        spends = command.spend_markers or command.spend_blessings
        if command.stood is not None or command.plus_dice or command.minus_dice or spends:
            raise records.StandsWithoutRoll(fighter=fighter.name)
        decision.emit(records.FighterStoodUp(fighter=command.fighter, movement_halved=True))
        return
    refuse_overspending(decision, command.fighter, command.spend_markers)
    markers.refuse_overspending_blessings(decision, command.fighter, command.spend_blessings)
    cause = spend(decision, command.fighter, command.spend_markers, use="action", cause=0)
    cause = markers.spend_blessings(
        decision, command.fighter, command.spend_blessings, use="action", cause=cause
    )
    stands = command.stood
    if stands is None:
        band, cause = _roll_to_stand(decision, command, cause=cause)
        stands = band is not chart.bands[0]
    if stands:
        halved = decision.rulebook.knob("stand.risky_movement") == "halved"
        decision.emit(records.FighterStoodUp(fighter=command.fighter, movement_halved=halved), cause=cause)


@handles(records.MoveModel)
def move_model(decision: Decision, command: records.MoveModel) -> None:
    """A model moves by its own ACTION: not while Down, and half as far after standing up.

    Source: Trench Crusade (1.6) · Injury Chart · Warrior Down!
    """
    fighter, section = decision.fighter(command.fighter), decision.rulebook.section("down")
    if decision.combatant(command.fighter, what="a move").down:
        raise records.DownDoesNotMove(fighter=fighter.name, section=section)
    most = fighter.characteristics["movement"] * (50 if command.just_stood else 100)
    distance = command.distance_hundredths
    if command.movement == "move" and distance is not None and distance > most:
        raise records.MovesTooFar(
            fighter=fighter.name,
            inches=f"{distance / 100:g}",
            most=f"{most / 100:g}",
            why=" after standing up" if command.just_stood else "",
            section=section,
        )
    halved = ": movement is halved after standing up" if command.just_stood else ""
    decision.note_rule(command.fighter, f"may {command.movement}{halved}", section="down")


def fall_on_chart(decision: Decision, command: records.ResolveFall) -> None:
    """A fall: an injury roll with one more die for every 3", or none for a short or voluntary fall.

    Source: Trench Crusade (1.6) · Falling.
    """
    name = command.target
    decision.battle("a fall")
    decision.combatant(name, what="a fall")
    if command.save_with != "best" or command.grudge_against is not None:
        raise BookHasNo(book=decision.rulebook.book.title, part="saves or grudges for falls")
    dice = warbands.fall_dice(command.distance_hundredths, voluntary=command.voluntary)
    if dice is None:
        if command.spend_markers or command.spend_blessings:
            section = decision.rulebook.section("falling")
            raise records.NoRollToSpendOn(fighter=decision.fighter(name).name, section=section)
        will = ' of its own will, up to 3",' if command.voluntary else ' of up to 2"'
        decision.note_rule(name, f"a fall{will} needs no roll", section="falling")
        return
    inches = f"{command.distance_hundredths / 100:g}"
    roll_injury_chart(
        decision,
        records.RollInjuryChart(
            target=name,
            plus_dice=(f'fall of {inches}"',) * dice,
            spend_markers=command.spend_markers,
            spend_blessings=command.spend_blessings,
        ),
    )


# --- the dice --------------------------------------------------------------------------------------------


def _dice_reasons(decision: Decision, command: records.RollInjuryChart) -> tuple[records.Modifier, ...]:
    """Every +DICE and -DICE, each with its reason."""
    target = decision.combatant(command.target, what="an injury roll")
    suffered = tuple(injury.counted_as for injury in decision.fighter(command.target).injuries)
    scarred = injury_dice_against(suffered, decision.rulebook)
    down_counts = command.in_melee or decision.rulebook.knob("down.extra_die") == "any"
    return (
        *_stated_dice(command),
        *as_modifiers(
            nonzero(
                ("Blood Markers", command.spend_markers),
                ("Blessing Markers", -command.spend_blessings),
                ("target is Down", int(target.down and down_counts)),
                ("old scars", scarred),
            )
        ),
    )


def _stated_dice(command: records.RollInjuryChart | records.StandUp) -> tuple[records.Modifier, ...]:
    return (
        *(records.Modifier(why=why, by=1) for why in command.plus_dice),
        *(records.Modifier(why=why, by=-1) for why in command.minus_dice),
    )


def _roll_injury_dice(
    decision: Decision, harm: Harm, pool: rules.Pool, *, cause: int
) -> tuple[tuple[int, ...], int]:
    faces = []
    for nth in range(1, pool.roll + 1):
        why = f"die {nth} of {pool.roll} on the Injury Chart"
        die = decision.tray.d6("injury_chart", why=why, fighter=harm.target)
        faces.append(die.face)
        cause = decision.roll(
            die,
            outcome=_place(nth, pool),
            section="injury_chart",
            rolled_by=opponent(decision, harm),
            cause=cause,
        )
    for _ in range(pool.extra):
        die = decision.tray.d6("bloodbath", why="the D6 that Bloodbath adds", fighter=harm.target)
        faces.append(die.face)
        cause = decision.roll(
            die, outcome="added", section="bloodbath", rolled_by=opponent(decision, harm), cause=cause
        )
    return tuple(faces), cause


def _place(nth: int, pool: rules.Pool) -> str:
    kept = f", the {pool.which} {pool.keep} count" if pool.roll > pool.keep else ""
    return f"die {nth} of {pool.roll}{kept}"


def _flat_modifiers(decision: Decision, command: records.RollInjuryChart) -> tuple[records.Modifier, ...]:
    worn, shield = _armour(decision, command)
    protected = rules.armour_modifiers(
        armour=worn, shield=shield, shield_modifier=decision.rulebook.book.shield_modifier
    )
    stated = tuple(records.Modifier(why=modifier.why, by=modifier.by) for modifier in command.modifiers)
    modifiers = (*stated, *as_modifiers(protected))
    too_much = rules.beyond_worst(sum(modifier.by for modifier in modifiers), rulebook=decision.rulebook)
    if too_much:
        modifiers += (records.Modifier(why=f"never worse than {rules.WORST_MODIFIER}", by=too_much),)
    if command.armour_piercing and sum(modifier.by for modifier in modifiers) < 0:
        modifiers += (records.Modifier(why="ARMOUR PIERCING", by=rules.ARMOUR_PIERCING),)
    return modifiers


def _refuse_keywords(decision: Decision, command: records.RollInjuryChart) -> None:
    """Refuses keywords by name, if the table counts them as stated dice and modifiers.

    Source: Trench Crusade (1.0.2) · Injuries; knob injury.keywords.
    """
    if decision.rulebook.knob("injury.keywords") != "stated":
        return
    stated = (
        ("ARMOUR PIERCING", command.armour_piercing, "what it does under `modifiers`"),
        ("DEADLY", command.deadly, f"`pool: {rules.DEADLY_POOL}`"),
    )
    for keyword, named, instead in stated:
        if named:
            section = decision.rulebook.section("injury_modifiers")
            raise records.KeywordNotCounted(keyword=keyword, instead=instead, section=section)


def _armour(decision: Decision, command: records.RollInjuryChart) -> tuple[ArmourKind | None, bool]:
    """The target's armour against this roll: as stated, else by the card."""
    card = decision.fighter(command.target)
    kit = (*card.wargear, *((card.armour.name,) if card.armour is not None else ()))
    shield = rules.shield_on_card(kit) if command.shield is None else command.shield
    if command.armour is None:
        printed = card.characteristics["armour_modifier"]
        return rules.armour_on_card(printed=printed, kit=kit, rulebook=decision.rulebook), shield
    return decision.rulebook.book.armour.get(command.armour), shield


def _roll_to_stand(decision: Decision, command: records.StandUp, *, cause: int) -> tuple[Band, int]:
    chart = decision.rulebook.book.chart("action_chart")
    fighter = decision.fighter(command.fighter)
    dice = (
        *_stated_dice(command),
        *as_modifiers(
            nonzero(
                ("Blood Markers", -command.spend_markers),
                ("Blessing Markers", command.spend_blessings),
                ("Down", -1),
            )
        ),
    )
    pool = rules.dice_pool(
        start=rules.INJURY_POOL_DICE,
        plus_dice=sum(reason.by for reason in dice if reason.by > 0),
        minus_dice=-sum(reason.by for reason in dice if reason.by < 0),
        rulebook=decision.rulebook,
    )
    faces = []
    for nth in range(1, pool.roll + 1):
        why = f"die {nth} of {pool.roll} of the RISKY ACTION to stand"
        die = decision.tray.d6("risky_stand", why=why, fighter=command.fighter)
        faces.append(die.face)
        cause = decision.roll(
            die, outcome=_place(nth, pool), section="actions", rolled_by=fighter.gang, cause=cause
        )
    kept = pool.kept(faces)
    markers.check_dice_stated(command, faces, kept, sum(kept))
    band = chart.read(sum(kept))
    read = decision.emit(
        records.ChartRead(
            chart=chart.id,
            fighter=command.fighter,
            by=None,
            dice=dice,
            faces=tuple(faces),
            kept=kept,
            modifiers=(),
            total=sum(kept),
            result=band.id,
            name=band.name,
            section=decision.rulebook.section("actions"),
        ),
        cause=cause,
    )
    return band, read


# --- what comes of it ------------------------------------------------------------------------------------


def _apply(
    decision: Decision, harm: Harm, command: records.RollInjuryChart, band: Band, *, cause: int
) -> None:
    match band.id:
        case "minor_hit":
            gain_markers(decision, harm, 1, cause=cause)
        case "down":
            if _machine_armour_withstands(decision, command):
                gain_markers(decision, harm, 1, cause=cause)
            else:
                _knock_down(decision, harm, with_markers=True, cause=cause)
        case "out_of_action":
            _take_out(decision, harm, command, cause=cause)
        case _:
            pass  # No Effect


def _machine_armour_withstands(decision: Decision, command: records.RollInjuryChart) -> bool:
    worn, _ = _armour(decision, command)
    no_shield = worn is not None and not worn.adds_shield
    return no_shield and decision.rulebook.knob("machine_armour.down") == "minor_hit"


def _take_out(decision: Decision, harm: Harm, command: records.RollInjuryChart, *, cause: int) -> None:
    combatant = decision.combatant(harm.target, what="an injury")
    tough = rules.is_tough(decision.fighter(harm.target).skills) if command.tough is None else command.tough
    if tough and not combatant.tough_spent:
        spent = decision.emit(records.ToughnessSpent(fighter=harm.target), cause=cause)
        with_markers = decision.rulebook.knob("tough.blood_markers") == "as_down"
        _knock_down(decision, harm, with_markers=with_markers, cause=spent)
        return
    decision.emit(
        records.FighterWentOutOfAction(
            fighter=harm.target,
            by=harm.attacker,
            reason="stated" if command.result is not None else "injury_chart",
            out_of_action_dice=0,
            lasting_injury_rolls=0,
        ),
        cause=cause,
    )


def _knock_down(decision: Decision, harm: Harm, *, with_markers: bool, cause: int) -> None:
    already = decision.combatant(harm.target, what="an injury").down
    if with_markers:
        cause = gain_markers(decision, harm, rules.markers_from_down(already_down=already), cause=cause)
    if not already:
        decision.emit(records.FighterWentDown(fighter=harm.target, by=harm.attacker), cause=cause)
