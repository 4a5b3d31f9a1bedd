"""Death of the Leader: who leads next. Source: rules D6.4."""

from __future__ import annotations

from scenario import KRUG, SKULLS, VEX, Table, card, given

from tracker.campaign import records
from tracker.records import replace

ARCHIVE = "necromunda_archive"


def leaderless(*cards: object, book: str = "necromunda_2023") -> Table:
    """The Skulls after Krug has gone, with these besides Vex."""

    table = given(battle=False, book=book)
    for fighter in cards:
        table = table.when(records.EnlistFighter(gang=SKULLS, card=fighter))  # type: ignore[arg-type]
    return table.when(records.RetireFighter(fighter=KRUG, reason="gone"))


def member(fighter: str, category: str, leadership: int = 7) -> object:
    return replace(
        card(VEX, leadership=leadership),
        fighter=fighter,
        name=fighter.capitalize(),
        category=category,  # type: ignore[arg-type]
    )


def test_the_champion_with_the_best_leadership_leads() -> None:
    table = leaderless(
        member("ada", "champion", 6), member("bo", "champion", 5), member("cy", "specialist", 3)
    )
    table = table.when(records.NameLeader(gang=SKULLS, kind="Boss"))
    promoted = table.outcome[0]
    assert isinstance(promoted, records.FighterPromoted)
    assert (promoted.fighter, promoted.category, promoted.kind) == ("bo", "leader", "Boss")
    assert table.fighter("bo").characteristics["leadership"] == 5
    table.when(records.NameLeader(gang=SKULLS)).then_refused(records.LeaderThere)


def test_without_champions_a_specialist_leads_and_else_anybody_but_hangers_on() -> None:
    table = leaderless(member("cy", "specialist", 9), member("ed", "juve", 4))
    assert table.when(records.NameLeader(gang=SKULLS)).fighter("cy").category == "leader"
    nobody_better = leaderless(member("fi", "hanger_on", 3), member("ed", "juve", 4))
    assert nobody_better.when(records.NameLeader(gang=SKULLS)).fighter("ed").category == "leader"


def test_the_archive_counts_prospects_with_the_specialists() -> None:
    people = (member("cy", "specialist", 9), member("ed", "prospect", 5))
    assert leaderless(*people).when(records.NameLeader(gang=SKULLS)).fighter("cy").category == "leader"
    archived = leaderless(*people, book=ARCHIVE).when(records.NameLeader(gang=SKULLS))
    assert archived.fighter("ed").category == "leader"


def test_equal_leadership_is_broken_by_advancements_and_then_by_choice() -> None:
    table = leaderless(member("ada", "champion", 6), member("bo", "champion", 6))
    table.when(records.NameLeader(gang=SKULLS)).then_refused(
        records.NotNextInLine, fighter=None, candidates=("Ada", "Bo")
    )
    assert table.when(records.NameLeader(gang=SKULLS, fighter="ada")).fighter("ada").category == "leader"
    table.when(records.NameLeader(gang=SKULLS, fighter=VEX)).then_refused(records.NotNextInLine)
    advanced = replace(table.fighter("bo"), advancements=1)
    seasoned = replace(table, state=table.state.with_fighter(advanced))
    assert seasoned.when(records.NameLeader(gang=SKULLS)).fighter("bo").category == "leader"
