"""Close combat by the archived rules: who is kept from helping, barricades, what may follow a fight."""

from itertools import combinations_with_replacement

from fights import SPEAR, at, fight, melee_hit, moved
from scenario import (
    DOT,
    KRUG,
    MAGS,
    OUT_COLD,
    VEX,
    Table,
    card,
    enlist,
    given,
    injury,
    opening,
    out_of_action,
    seriously_injured,
    wound,
)
from tables import every

from tracker.campaign import records
from tracker.rules.necromunda.close_combat import may_consolidate, may_coup_de_grace

ARCHIVE = "necromunda_archive"
NEWER = "necromunda_2023"
EVERYTHING_HITS = {"weapon_skill": 2, "strength": 6}


def archived(*cards, book=ARCHIVE, **more) -> Table:
    return given(*cards, book=book, **more)


# --- hit rolls -------------------------------------------------------------------------------------------


def test_a_fight_goes_under_the_archived_sections() -> None:
    table = archived().when(fight(KRUG, MAGS), *melee_hit(4), wound(4), injury("flesh"))
    assert [(roll.purpose, roll.section) for roll in table.rolls] == [
        ("melee_hit", "Archived rules · Close Combat · Make Hit Rolls"),
        ("wound", "Archived rules · Resolve Hits · 1. Wound Roll"),
        ("injury", "Archived rules · Resolve Hits · Injuries"),
    ]


@every(("book", "expected"), [(ARCHIVE, (("across a barricade", -1),)), (NEWER, ())])
def test_attacks_across_a_barricade_are_at_minus_1(book: str, expected: tuple) -> None:
    table = archived(book=book).when(fight(KRUG, at(MAGS, across="barricade")), *melee_hit(1))
    assert moved(table) == {expected}


def test_no_other_obstacle_is_a_barricade() -> None:
    table = archived(card(KRUG, weapons=(SPEAR,))).when(
        fight(KRUG, at(MAGS, across="wider"), using=("spear",)), *melee_hit(1)
    )
    assert moved(table) == {()}


# --- assists and interference ----------------------------------------------------------------------------


def three_gangs(book: str) -> Table:
    """As `given`, and Zed of a third gang beside them."""
    third = enlist("third", card("zed"))
    crews = {"skulls": (KRUG, VEX), "saints": (MAGS, DOT), "third": ("zed",)}
    return archived(battle=False, book=book).when(third).when(opening(1, crews=crews))


@every(("book", "counts"), [(NEWER, True), (ARCHIVE, False)])
def test_whoever_assists_must_be_engaged_with_no_other_enemy_at_all(book: str, counts: bool) -> None:
    table = three_gangs(book).when(fight(KRUG, MAGS, engaged=((VEX, MAGS), (VEX, "zed"))), *melee_hit(1))
    assert moved(table) == {((("assist", 1),) if counts else ())}
    assert any(isinstance(event, records.HelpNotCounted) for event in table.outcome) is not counts


@every(("book", "counts"), [(NEWER, True), (ARCHIVE, False)])
def test_whoever_interferes_must_be_engaged_with_no_other_enemy_at_all(book: str, counts: bool) -> None:
    table = three_gangs(book).when(fight(KRUG, MAGS, engaged=((KRUG, DOT), (DOT, "zed"))), *melee_hit(1))
    assert moved(table) == {((("interference", -1),) if counts else ())}


@every("book", [ARCHIVE, NEWER])
def test_between_two_gangs_both_books_say_the_same(book: str) -> None:
    helped = archived(book=book).when(fight(KRUG, MAGS, engaged=((VEX, MAGS),)), *melee_hit(1))
    held = archived(book=book).when(fight(KRUG, MAGS, engaged=((VEX, MAGS), (VEX, DOT))), *melee_hit(1))
    assert (moved(helped), moved(held)) == ({(("assist", 1),)}, {()})


# --- afterwards ------------------------------------------------------------------------------------------

CONDITIONS = ("fighting", "seriously_injured", "out_of_action", "wrecked")


def test_a_free_coup_de_grace_is_allowed_where_consolidation_is() -> None:
    for many in range(4):
        for enemies in combinations_with_replacement(CONDITIONS, many):
            allowed = may_coup_de_grace(enemies, nobody_left=True)
            assert allowed == may_consolidate(enemies) == (bool(enemies) and "fighting" not in enemies)


def one_out_one_down(book: str, **after) -> Table:
    """Krug takes Mags out and leaves Dot Seriously Injured."""
    krug = card(KRUG, attacks=2, **EVERYTHING_HITS)
    coup = (OUT_COLD,) if after.get("coup_de_grace") == DOT and book == ARCHIVE else ()
    return archived(krug, book=book).when(
        fight(KRUG, at(MAGS, 1), at(DOT, 1), **after),
        *melee_hit(6, 6),
        wound(6),
        injury("ooa"),
        OUT_COLD,
        wound(6),
        injury("serious"),
        *coup,
    )


def out(table: Table) -> list[tuple[str, str]]:
    return [
        (event.fighter, event.reason)
        for event in table.outcome
        if isinstance(event, records.FighterWentOutOfAction)
    ]


def test_an_enemy_out_of_action_does_not_forbid_the_coup_de_grace() -> None:
    assert out(one_out_one_down(ARCHIVE, coup_de_grace=DOT)) == [
        (MAGS, "injury_dice"),
        (DOT, "coup_de_grace"),
    ]
    assert out(one_out_one_down(NEWER, coup_de_grace=DOT)) == [(MAGS, "injury_dice")]


def test_consolidation_may_be_chosen_instead_of_the_coup_de_grace() -> None:
    for book in (ARCHIVE, NEWER):
        table = one_out_one_down(book, consolidate=True)
        assert records.FighterConsolidated(fighter=KRUG, up_to_inches=2) in table.outcome


def test_neither_coup_de_grace_nor_consolidation_follows_while_an_engaged_enemy_fights() -> None:
    for after in ({"coup_de_grace": DOT}, {"consolidate": True}):
        table = archived().when(fight(KRUG, MAGS, engaged=((KRUG, DOT),), **after), *melee_hit(1))
        assert out(table) == []
        noted = [event.why for event in table.outcome if isinstance(event, records.RuleNoted)]
        assert len(noted) == 1
        assert "still" in noted[0]


def test_the_coup_de_grace_may_go_to_whoever_lies_in_base_contact_engaged_or_not() -> None:
    before = archived(card(KRUG, **EVERYTHING_HITS)).when(seriously_injured(DOT))
    dice = (*melee_hit(6), wound(6), injury("ooa"), OUT_COLD, OUT_COLD)
    assert out(before.when(fight(KRUG, MAGS, coup_de_grace=DOT), *dice)) == [
        (MAGS, "injury_dice"),
        (DOT, "coup_de_grace"),
    ]
    newer = archived(card(KRUG, **EVERYTHING_HITS), book=NEWER).when(seriously_injured(DOT))
    newer.when(fight(KRUG, MAGS, coup_de_grace=DOT)).then_refused(records.NotEngaged)


def test_no_free_coup_de_grace_goes_to_who_stands_or_is_a_friend_or_gone() -> None:
    table = archived(card(KRUG, **EVERYTHING_HITS))
    stands = table.when(
        fight(KRUG, MAGS, coup_de_grace=DOT), *melee_hit(6), wound(6), injury("ooa"), OUT_COLD
    )
    assert out(stands) == [(MAGS, "injury_dice")]
    assert "whoever it was meant for" in next(
        e.why for e in stands.outcome if isinstance(e, records.RuleNoted)
    )
    table.when(fight(KRUG, MAGS, coup_de_grace=VEX)).then_refused(records.NoEnemy)
    gone = table.when(out_of_action(DOT), OUT_COLD).when(fight(KRUG, MAGS, coup_de_grace=DOT))
    assert isinstance(gone.refusal, records.FighterOutOfPlay)
