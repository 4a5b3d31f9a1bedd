"""What the front page of a campaign lists as waiting for a gang's player, of the rows of a roster."""

from typing import Any

from tables import every

from tracker.server.pages import campaigns

KRUG: dict[str, Any] = {
    "fighter": "krug", "name": "Krug", "gang": "skulls", "standing": "enlisted", "held_by": None, "experience": 0,
}  # fmt: skip


def waiting(*fighters: dict[str, Any]) -> list[tuple[str, str]]:
    """The sentences, and where each is seen to."""
    gang = {"gang": "skulls", "name": "Iron Skulls", "fighters": fighters}
    return [(item.text, item.path) for item in campaigns._of_a_gang(gang)]


def test_a_gang_of_which_nothing_is_due_waits_for_nothing() -> None:
    assert waiting() == []
    assert waiting(KRUG, {**KRUG, "fighter": "hob"}) == []


@every(
    ("fate", "says"),
    [
        ("critical", "critically injured"),
        ("capture_pending", "an escape roll"),
        ("mutations_to_choose", "a mutation to choose"),
        ("held_by", "is held captive"),
    ],
)
def test_who_is_between_two_fates_is_named_with_what_is_to_be_done(fate: str, says: str) -> None:
    ((text, path),) = waiting({**KRUG, fate: 1})
    assert text.startswith("Krug (Iron Skulls) ")
    assert says in text
    assert path == "/fighters/krug"
    assert waiting({**KRUG, fate: 1, "standing": "dead"}) == []
    assert waiting({**KRUG, fate: 1, "gang": "saints"}) == []


def test_experience_that_is_not_spent_is_counted_and_who_has_most_of_it_is_named() -> None:
    hob = {**KRUG, "fighter": "hob", "name": "Hob", "experience": 7}
    assert waiting({**KRUG, "experience": 2}, hob) == [
        ("Iron Skulls: 9 XP unspent, 7 of it Hob's.", "/gangs/skulls")
    ]
