"""Trade and Seek Rare: rare and illegal things, both books. Source: D5.7, B8."""

from aftermaths import after, die, fallen, sides
from scenario import KRUG, SKULLS, VEX, card, given
from tables import every

from tracker.campaign import records


def test_rare_things_are_sought_once_and_only_with_a_trade_action() -> None:
    seek = records.SeekRare(gang=SKULLS)
    table = sides(fallen()).when(seek, die("seek_rare", "3+4")).then_refused(records.NobodyTrades)
    table = table.when(records.Trade(by=KRUG)).when(seek, die("seek_rare", "3+4"))
    table.when(seek, die("seek_rare", "3+4")).then_refused(records.OncePerSequence)


def test_a_search_has_2_for_the_leader_1_for_each_champion_and_1_for_each_full_10_reputation() -> None:
    table = given(card(VEX, category="champion"))
    table = sides(fallen(table=table)).when(records.ChangeReputation(gang=SKULLS, by=18, why="test"))
    table = table.when(records.Trade(by=KRUG)).when(records.Trade(by=VEX))
    table = table.when(records.SeekRare(gang=SKULLS), die("seek_rare", "3+4"))
    (roll,) = table.rolls
    assert [(modifier.why, modifier.by) for modifier in roll.modifiers] == [
        ("the Leader trades", 2),
        ("Champions trade", 1),
        ("Reputation 19", 1),
    ]
    rare = after(table).rare
    assert rare is not None
    assert (rare.rare_up_to, rare.illegal_up_to) == (11, 11)


def test_the_law_abiding_find_illegal_things_at_4_less() -> None:
    table = sides(fallen(), skulls="law_abiding").when(records.Trade(by=KRUG))
    rare = after(table.when(records.SeekRare(gang=SKULLS), die("seek_rare", "3+4"))).rare
    assert rare is not None
    assert (rare.rare_up_to, rare.illegal_up_to) == (9, 5)


def test_a_search_asks_on_which_side_of_the_law_a_gang_stands() -> None:
    table = fallen().when(records.Trade(by=KRUG))
    table.when(records.SeekRare(gang=SKULLS), die("seek_rare", "3+4")).then_refused(records.WrongSideOfTheLaw)


@every(
    ("side", "market", "rare", "illegal"),
    [
        ("outlaw", "trading_post", 7, 7),
        ("law_abiding", "trading_post", 9, 9),
        ("law_abiding", "black_market", 8, 7),
        ("outlaw", "black_market", 9, 9),
    ],
)
def test_archived_illegal_things_have_a_roll_of_their_own_and_each_market_its_penalties(
    side: str, market: str, rare: int, illegal: int
) -> None:
    archive = "necromunda_archive"
    table = sides(fallen(book=archive), skulls=side).when(records.Trade(by=KRUG))
    table = table.when(
        records.SeekRare(gang=SKULLS, market=market),  # type: ignore[arg-type]
        die("seek_rare", "3+4", book=archive),
        die("seek_illegal", "3+4", book=archive),
    )
    found = after(table).rare
    assert found is not None
    assert (found.rare_up_to, found.illegal_up_to) == (rare, illegal)
