"""Records behave as Python's own frozen dataclasses, and refusals as its plain ones."""

import ast
import dataclasses
from dataclasses import FrozenInstanceError, field, fields
from pathlib import Path

import pytest

import tracker
from tracker.records import REMEMBERED_MAX, dataclass, maker, remembered, replace


@dataclass(frozen=True, slots=True, kw_only=True)
class Ours:
    name: str
    wounds: int = 1
    scars: dict[str, int] = field(default_factory=dict)


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Theirs:
    name: str
    wounds: int = 1
    scars: dict[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Alike:
    name: str
    wounds: int = 1
    scars: dict[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Empty:
    pass


@dataclass(eq=False)
class Refused(Exception):
    what: str
    known: tuple[str, ...] = ()


@dataclass(eq=False)
class RefusedAgain(Refused):
    times: int = 2


def test_what_is_left_out_takes_its_default() -> None:
    made = Ours(name="Krug")
    assert (made.name, made.wounds, made.scars) == ("Krug", 1, {})
    assert made.scars is not Ours(name="Krug").scars


def test_what_is_given_is_kept() -> None:
    scars = {"eye": 1}
    made = Ours(name="Krug", wounds=2, scars=scars)
    assert (made.name, made.wounds) == ("Krug", 2)
    assert made.scars is scars


@pytest.mark.parametrize("facts", [{}, {"name": "Krug", "toughness": 3}, {"wounds": 1}])
def test_a_missing_or_unknown_field_is_a_type_error_as_ever(facts: dict[str, object]) -> None:
    for kind in (Ours, Theirs):
        with pytest.raises(TypeError):
            kind(**facts)  # type: ignore[arg-type]  # on purpose


def test_a_record_takes_no_field_by_its_place() -> None:
    for kind in (Ours, Theirs):
        with pytest.raises(TypeError):
            kind("Krug")  # type: ignore[misc]  # on purpose


def test_records_are_equal_by_value_and_kind() -> None:
    assert Ours(name="Krug") == Ours(name="Krug")
    assert Ours(name="Krug") != Ours(name="Mags")
    assert Ours(name="Krug") != Ours(name="Krug", wounds=2)
    assert Ours(name="Krug") != Alike(name="Krug")
    assert Ours(name="Krug") != "Krug"
    assert Empty() == Empty()


def test_equal_records_hash_alike_and_what_cannot_be_hashed_says_so() -> None:
    assert hash(Ours(name="Krug", scars=())) == hash(Ours(name="Krug", scars=()))  # type: ignore[arg-type]
    assert hash(Empty()) == hash(Empty())
    with pytest.raises(TypeError, match="unhashable"):
        hash(Ours(name="Krug"))


def test_a_record_cannot_be_changed() -> None:
    made = Ours(name="Krug")
    with pytest.raises(FrozenInstanceError):
        made.name = "Mags"  # type: ignore[misc]  # on purpose
    with pytest.raises(FrozenInstanceError):
        del made.wounds
    with pytest.raises(FrozenInstanceError):
        made.toughness = 3  # type: ignore[attr-defined]  # on purpose
    assert made == Ours(name="Krug")


def test_a_record_shows_itself_as_ever() -> None:
    shown = repr(Theirs(name="Krug", wounds=2))
    assert repr(Ours(name="Krug", wounds=2)) == shown.replace("Theirs", "Ours")


def test_its_fields_are_those_of_any_dataclass() -> None:
    assert [one.name for one in fields(Ours)] == [one.name for one in fields(Theirs)]
    assert dataclasses.asdict(Ours(name="Krug")) == {"name": "Krug", "wounds": 1, "scars": {}}
    assert dataclasses.replace(Ours(name="Krug"), wounds=3) == Ours(name="Krug", wounds=3)


def test_replacing_changes_what_is_named_and_shares_the_rest() -> None:
    before = Ours(name="Krug", scars={"eye": 1})
    after = replace(before, wounds=3)
    assert after == Ours(name="Krug", wounds=3, scars={"eye": 1})
    assert after.scars is before.scars
    assert before.wounds == 1


def test_replacing_an_unknown_field_is_an_error() -> None:
    with pytest.raises(TypeError, match="toughness"):
        replace(Ours(name="Krug"), toughness=3)  # type: ignore[call-arg]  # on purpose
    with pytest.raises(TypeError, match="is no record"):
        replace(Theirs(name="Krug"), wounds=3)


def test_what_a_maker_makes_is_what_its_class_makes() -> None:
    made = maker(Ours)(name="Krug", wounds=2)
    assert type(made) is Ours
    assert made == Ours(name="Krug", wounds=2)
    assert made.scars is not maker(Ours)(name="Krug").scars
    with pytest.raises(FrozenInstanceError):
        made.wounds = 3  # type: ignore[misc]  # on purpose
    with pytest.raises(TypeError):
        maker(Ours)(wounds=2)  # type: ignore[call-arg]  # on purpose
    with pytest.raises(TypeError):
        maker(Ours)("Krug")  # type: ignore[call-arg]  # on purpose


def test_a_replaced_record_is_as_frozen_as_any() -> None:
    after = replace(Ours(name="Krug"), wounds=3)
    assert type(after) is Ours
    with pytest.raises(FrozenInstanceError):
        after.wounds = 4  # type: ignore[misc]  # on purpose


def test_what_is_remembered_is_so_for_the_very_same_objects_only() -> None:
    asked = []

    @remembered
    def wounds_of(record: Ours) -> list[int]:
        asked.append(record)
        return [record.wounds]

    krug = Ours(name="Krug", wounds=2)
    assert wounds_of(krug) is wounds_of(krug)
    assert wounds_of(Ours(name="Krug", wounds=2)) is not wounds_of(krug)
    assert len(asked) == 2


def test_what_is_remembered_never_answers_for_an_object_that_took_the_place_of_another() -> None:
    @remembered
    def wounds_of(record: Ours) -> int:
        return record.wounds

    assert all(wounds_of(Ours(name="Krug", wounds=nth)) == nth for nth in range(3 * REMEMBERED_MAX))


def test_a_refusal_is_an_exception_with_facts() -> None:
    with pytest.raises(Refused) as met:
        raise Refused(what="ammo", known=("a", "b"))
    assert (met.value.what, met.value.known) == ("ammo", ("a", "b"))
    assert Refused("ammo").known == ()
    assert (RefusedAgain(what="ammo").times, RefusedAgain(what="ammo").known) == (2, ())
    met.value.what = "dice"  # an exception may learn on its way up
    assert repr(met.value) == "Refused(what='dice', known=('a', 'b'))"
    with pytest.raises(TypeError):
        Refused()  # type: ignore[call-arg]  # on purpose


def test_two_refusals_with_the_same_facts_are_two() -> None:
    assert Refused(what="ammo") != Refused(what="ammo")


def test_records_and_refusals_are_made_in_one_way() -> None:
    """Python's own decorator is for what is neither: mutable, hashed by identity, or with a life of its own."""
    package, usual = Path(tracker.__file__).parent, []
    shapes = ("dataclass(frozen=True, slots=True, kw_only=True)", "dataclass(eq=False)")
    for file in sorted(package.rglob("*.py")):
        tree = ast.parse(file.read_text(encoding="utf-8"))
        if "__post_init__" in ast.unparse(tree) or file.name == "records.py":
            continue
        own = [
            node
            for node in ast.walk(tree)
            if isinstance(node, ast.ImportFrom) and node.module == "dataclasses"
            if "dataclass" in {alias.name for alias in node.names}
        ]
        kinds = [node for node in ast.walk(tree) if isinstance(node, ast.ClassDef)]
        said = {ast.unparse(one) for kind in kinds for one in kind.decorator_list}
        if own and not any(one.startswith("dataclass(") and one not in shapes for one in said):
            usual.append(file.relative_to(package).as_posix())
    assert usual == []
