"""Experience by the archived rules. Source: B8."""

from collections.abc import Iterable

from archived_scenario import archived
from scenario import DOT, KRUG, MAGS, OUT_COLD, VEX, Table, lasting, out_of_action, seriously_injured
from tables import every


def experience(table: Table, names: Iterable[str] = (KRUG, VEX, MAGS, DOT)) -> dict[str, int]:
    return {name: table.fighter(name).experience for name in names if table.fighter(name).experience}


@every(("victim", "attacker", "paid"), [(VEX, MAGS, 1), (KRUG, MAGS, 2), (MAGS, VEX, 2)])
def test_out_of_action_is_worth_1_and_a_leader_or_champion_1_more(
    victim: str, attacker: str, paid: int
) -> None:
    table = archived().when(out_of_action(victim, by=attacker), OUT_COLD)
    assert experience(table) == {attacker: paid}


def test_a_kill_is_worth_1_more() -> None:
    assert experience(archived().when(out_of_action(VEX, by=MAGS), lasting(6, 6))) == {MAGS: 1 + 1}
    assert experience(archived().when(out_of_action(KRUG, by=MAGS), lasting(6, 6))) == {MAGS: 1 + 1 + 1}


def test_a_serious_injury_is_worth_nothing() -> None:
    assert experience(archived().when(seriously_injured(KRUG, by=MAGS))) == {}


def test_several_out_of_action_in_one_activation_all_count() -> None:
    table = archived().when(out_of_action(VEX, by=DOT, activation="1"), OUT_COLD)
    table = table.when(out_of_action(KRUG, by=DOT, activation="1"), OUT_COLD)
    assert experience(table) == {DOT: 1 + 2}
