"""Records are frozen and compared by value; a refusal is declared by its facts and its docstring."""

import pytest
from msgspec import field

from tracker.errors import BadInput
from tracker.records import CACHED_MAX, Record, cached_by_identity, names_of_fields, replace


class Card(Record):
    name: str
    wounds: int = 1
    scars: dict[str, int] = field(default_factory=dict)


class Alike(Record):
    name: str
    wounds: int = 1
    scars: dict[str, int] = field(default_factory=dict)


class NoSuchScar(BadInput):
    """{fighter!r} has no scar {scar}.{scar:nearest} Known: {known:or none}."""

    fighter: str
    scar: str
    known: tuple[str, ...] = ()


class NoSuchScarHere(NoSuchScar):
    place: str = "here"


class NothingAtAll(BadInput):
    """There is nothing,
    at all.
    """


def test_fields_are_given_by_name_and_a_default_is_made_anew() -> None:
    card = Card(name="Krug")
    assert (card.name, card.wounds, card.scars) == ("Krug", 1, {})
    assert card.scars is not Card(name="Krug").scars
    with pytest.raises(TypeError):
        Card("Krug")  # type: ignore[misc]
    with pytest.raises(TypeError):
        Card()  # type: ignore[call-arg]


def test_a_record_is_frozen_and_replaced_with_what_did_not_change() -> None:
    card = Card(name="Krug", scars={"eye": 1})
    with pytest.raises(AttributeError):
        card.name = "Vex"  # type: ignore[misc]
    hurt = replace(card, wounds=0)
    assert (hurt.wounds, card.wounds) == (0, 1)
    assert hurt.scars is card.scars
    with pytest.raises(TypeError):
        replace(card, height=2)


def test_records_of_one_type_with_equal_fields_are_equal() -> None:
    assert Card(name="Krug") == Card(name="Krug")
    assert Card(name="Krug") != Card(name="Vex")
    assert Card(name="Krug") != Alike(name="Krug")
    assert names_of_fields(Card) == names_of_fields(Card(name="Krug")) == ("name", "wounds", "scars")
    assert names_of_fields("no record") == ()


def test_a_refusal_puts_its_facts_into_its_docstring() -> None:
    refusal = NoSuchScar("Krug", "eyes", known=("eye", "hand"))
    assert str(refusal) == "'Krug' has no scar eyes. Did you mean 'eye'? Known: eye, hand."
    assert NoSuchScar(fighter="{scar}", scar="x").message() == "'{scar}' has no scar x. Known: none."
    assert refusal.facts() == {"fighter": "Krug", "scar": "eyes", "known": ("eye", "hand")}
    assert (refusal.code, refusal.exit_code) == ("no_such_scar", 2)
    assert NothingAtAll().message() == "There is nothing, at all."


def test_a_refusal_inherits_facts_and_message_and_takes_no_others() -> None:
    assert NoSuchScarHere("Krug", "eye").facts()["place"] == "here"
    assert NoSuchScarHere("Krug", "eye").message() == NoSuchScar("Krug", "eye").message()
    with pytest.raises(TypeError, match="needs the fact 'scar'"):
        NoSuchScar("Krug")  # type: ignore[call-arg]
    with pytest.raises(TypeError, match="has no fact height"):
        NoSuchScar("Krug", "eye", height=2)  # type: ignore[call-arg]


def test_what_is_remembered_is_worked_out_once_for_the_same_objects() -> None:
    worked: list[object] = []

    @cached_by_identity
    def count(card: Card) -> int:
        worked.append(card)
        return card.wounds

    krug, twin = Card(name="Krug"), Card(name="Krug")
    assert [count(krug), count(krug), count(twin)] == [1, 1, 1]
    assert len(worked) == 2
    for number in range(CACHED_MAX):
        count(Card(name=str(number)))
    count(krug)
    assert worked[-1] is krug
