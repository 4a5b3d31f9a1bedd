"""Learning and promotion in warbands: skills at thresholds of XP, promotion dice for troops.

Source: Trench Crusade (1.6) · Campaign · Experience; Promotion.
"""

from __future__ import annotations

from tracker.campaign import records
from tracker.campaign.fighters import Fighter
from tracker.campaign.state import Gang
from tracker.campaign.steps.decision import Decision
from tracker.campaign.steps.dispatch import handles
from tracker.campaign.steps.post_battle_sequence import advance_once, advance_to, after_battle
from tracker.campaign.steps.trauma_effects import earns_nothing
from tracker.rules.trench_crusade import warbands as rules
from tracker.rules.warband_tables import SKILL_TOTALS, SkillTable


@handles(records.LearnSkill)
def learn_skill(decision: Decision, command: records.LearnSkill) -> None:
    """2D6 in each of two tables; the model learns one of the two skills. 2 and 12 are the Patron's.

    A known skill is replaced by the next lower one of the table that is free, else the next higher.
    """
    decision.refuse_during_battle()
    book, fighter = decision.rulebook.book.warbands, decision.fighter(command.fighter)
    _refuse_learning(decision, fighter)
    for name in (*command.tables, command.choose):
        if name not in book.skill_tables:
            raise records.UnknownSkillTable(table=name, known=tuple(book.skill_tables))
    if command.tables[0] == command.tables[1] or command.choose not in command.tables:
        raise records.TwoTables(choose=command.choose, tables=command.tables)
    cause, learned, rolled_total = advance_to(decision, fighter.gang, "advancements"), "", 0
    for name in command.tables:
        table = book.skill_tables[name]
        die = decision.tray.two_d6("skill_roll", why=f"a skill of {table.name}", fighter=command.fighter)
        total = sum(die.faces)
        skill = _skill(decision, fighter, table, total)
        cause = decision.roll(
            die,
            outcome=f"{table.name} {total}: {skill}",
            section="skills",
            rolled_by=fighter.gang,
            cause=cause,
        )
        if name == command.choose:
            learned, rolled_total = skill, total
    chosen = book.skill_tables[command.choose]
    if rolled_total in SKILL_TOTALS:
        if command.patron_skill is not None:
            raise records.PatronSkillUncalled(fighter=fighter.name, total=rolled_total, table=chosen.name)
        if not learned or learned == _NOTHING:
            raise records.NothingLeftToLearn(fighter=fighter.name, table=chosen.name)
    elif command.patron_skill is None:
        raise records.PatronSkillMissing(fighter=fighter.name, total=rolled_total, table=chosen.name)
    else:
        learned = command.patron_skill
        if learned.casefold() in {skill.casefold() for skill in fighter.skills}:
            raise records.SkillOfPatronKnown(fighter=fighter.name, skill=learned)
    taken = decision.emit(
        records.AdvancementTaken(
            fighter=command.fighter,
            advancement="skill",
            name=f"skill at {book.experience.learns_at[fighter.advancements]} XP",
            advancements=fighter.advancements + 1,
            section=decision.rulebook.section("skills"),
        ),
        cause=cause,
    )
    decision.emit(
        records.SkillGained(
            fighter=command.fighter, skill=learned, against=None, why=f"{chosen.name} {rolled_total}"
        ),
        cause=taken,
    )


@handles(records.RollPromotions)
def roll_promotions(decision: Decision, command: records.RollPromotions) -> None:
    """Promotion dice, troop by troop: a 6 promotes, as does the die after five failures in a row.

    Failures are counted over the whole campaign. The rolling stops at the first promotion, unless the table
    plays on, or when the warband has all the ELITE models it may have.
    """
    book, gang = decision.rulebook.book.warbands, decision.gang(command.gang)
    section = decision.rulebook.section("promotion")
    after = after_battle(decision, command.gang, what="promotion dice")
    if _elite(gang, book.elite.rank) >= book.elite.most:
        raise records.EliteFull(gang=gang.name, most=book.elite.most, section=section)
    if command.deeds < len(set(command.deeds_by)):
        raise records.FewerDeedsThanDoers(deeds=command.deeds, doers=len(set(command.deeds_by)))
    dice: dict[str, int] = {}
    for share in command.dice:
        _refuse_promoting(decision, gang, share.fighter, book.elite.from_rank, section)
        dice[share.fighter] = dice.get(share.fighter, 0) + share.dice
    for name in command.deeds_by:
        _refuse_promoting(decision, gang, name, book.elite.from_rank, section)
    pool = rules.promotion_pool(
        won=after.winner == command.gang, deeds=command.deeds, rulebook=decision.rulebook
    )
    if sum(dice.values()) > pool:
        raise records.TooManyPromotionDice(
            gang=gang.name, pool=pool, wanted=sum(dice.values()), section=section
        )
    eligible = [
        fighter.fighter
        for fighter in gang.enlisted.values()
        if _why_not(decision, fighter, book.elite.from_rank) is None
    ]
    uneven = rules.uneven(dice, eligible=eligible, with_deed=command.deeds_by, rulebook=decision.rulebook)
    if uneven is not None:
        raise records.PromotionDiceUneven(
            fighter=decision.fighter(uneven).name, dice=dice[uneven], section=section
        )
    cause = advance_once(decision, command.gang, "promotion", what="rolled its promotion dice")
    for name, count in dice.items():
        promoted = False
        for nth in range(1, count + 1):
            promoted = _promotion_die(decision, command.gang, name, f"{nth} of {count}", cause=cause)
            if promoted:
                break
        now = decision.gang(command.gang)
        full = _elite(now, book.elite.rank) >= book.elite.most
        one_only = decision.rulebook.knob("promotion.several") == "one"
        if full or (one_only and promoted):
            return


_NOTHING = "nothing left"


def _skill(decision: Decision, fighter: Fighter, table: SkillTable, total: int) -> str:
    if total not in SKILL_TOTALS:
        return "a skill of the Patron"
    return rules.skill_rolled(table, total, fighter.skills, decision.rulebook) or _NOTHING


def _refuse_learning(decision: Decision, fighter: Fighter) -> None:
    book, section = decision.rulebook.book.warbands, decision.rulebook.section("skills")
    if fighter.standing != "enlisted":
        raise records.FighterGone(fighter=fighter.name, standing=fighter.standing)
    if fighter.category != book.elite.rank:
        raise records.NotElite(
            fighter=fighter.name, rank=fighter.category, what="learning skills by XP", section=section
        )
    limited = rules.is_limited(fighter.skills, decision.rulebook)
    steps = [at for at in book.experience.learns_at if not limited or at <= book.experience.limited_to]
    following = steps[fighter.advancements] if fighter.advancements < len(steps) else None
    if following is None or fighter.experience < following:
        raise records.NoThresholdReached(
            fighter=fighter.name, experience=fighter.experience, next_at=following, section=section
        )


def _promotion_die(decision: Decision, gang: str, name: str, place: str, *, cause: int) -> bool:
    book = decision.rulebook.book.warbands
    numbers, before = book.promotion, decision.gang(gang).promotion_failures
    automatic = before >= numbers.failures
    is_troop = decision.fighter(name).category == book.elite.from_rank
    succeeded = automatic
    if not automatic:
        die = decision.tray.d6("promotion", why=f"promotion die {place}", fighter=name)
        succeeded = die.face >= numbers.succeeds_on
        cause = decision.roll(
            die,
            outcome=_outcome(succeeded=succeeded, is_troop=is_troop),
            section="promotion",
            rolled_by=gang,
            target=numbers.succeeds_on,
            passed=succeeded,
            cause=cause,
        )
    spent = decision.emit(
        records.PromotionDieSpent(
            gang=gang,
            fighter=name,
            succeeded=succeeded,
            automatic=automatic,
            failures=0 if succeeded else before + 1,
            section=decision.rulebook.section("promotion"),
            earns_again=succeeded and not is_troop,
        ),
        cause=cause,
    )
    if succeeded and is_troop:
        decision.emit(
            records.RankChanged(
                fighter=name, before=book.elite.from_rank, after=book.elite.rank, why="promotion"
            ),
            cause=spent,
        )
    return succeeded


def _outcome(*, succeeded: bool, is_troop: bool) -> str:
    if is_troop:
        return "promoted" if succeeded else "stays a troop"
    return "earns XP again" if succeeded else "earns no XP yet"


def _refuse_promoting(decision: Decision, gang: Gang, name: str, troop: str, section: str) -> None:
    fighter = decision.fighter(name)
    why = f"not of {gang.name}" if fighter.gang != gang.gang else _why_not(decision, fighter, troop)
    if why is not None:
        raise records.NotPromotable(fighter=fighter.name, why=why, section=section)


def _why_not(decision: Decision, fighter: Fighter, troop: str) -> str | None:
    if fighter.standing != "enlisted":
        return fighter.standing
    if fighter.category != troop and not earns_nothing(decision, fighter):
        return f"no troop but {fighter.category}"
    return "a captive" if fighter.capture_pending else None


def _elite(gang: Gang, rank: str) -> int:
    return sum(fighter.category == rank for fighter in gang.enlisted.values())
