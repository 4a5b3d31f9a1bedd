"""The loader: what stands in the files is what is read from them, and what is not there is refused by name."""

import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tables import every

import tracker
from tracker.rules import loader
from tracker.rules.conversion import convert
from tracker.rules.loader import BrokenBook, UnknownBook, UnknownPolicy, UnknownPreset
from tracker.rules.rulebook import ImpossibleKnobValue, Policy, UnknownKnob

RULES = Path(tracker.__file__).parent / "rules"


REMEMBERED = (loader.book, loader.book_files, loader.policies, loader.presets, loader._rulebook)


def forget() -> None:
    for remembered in REMEMBERED:
        remembered.cache_clear()


@pytest.fixture(autouse=True)
def _read_anew() -> Iterator[None]:
    """What other tests read and keep says nothing about reading, nor may they keep what these read."""
    forget()
    yield
    forget()


def toml(file: Path) -> dict[str, Any]:
    return tomllib.loads(file.read_text(encoding="utf-8"))


# --- books -----------------------------------------------------------------------------------------------


def test_every_folder_is_a_book_by_its_own_name() -> None:
    folders = sorted(folder.name for folder in (RULES / "books").iterdir() if not folder.name.startswith("_"))
    assert list(loader.book_names()) == folders
    for name in folders:
        assert loader.book(name).book == name == toml(RULES / "books" / name / "book.toml")["id"]


@every("name", loader.book_names())
def test_a_book_holds_what_its_files_say(name: str) -> None:
    files = {file.stem: toml(file) for file in sorted((RULES / "books" / name).glob("*.toml"))}
    book = loader.book(name)
    assert loader.book_files(name) == files
    assert list(loader.book_files(name)) == list(files), "in the order of their names"
    assert (book.edition, book.title) == (files["book"]["edition"], files["book"]["title"])
    assert book.sections == files["book"]["sections"]
    knobs = {knob["name"]: knob for knob in files["knobs"]["knob"]}
    assert set(book.knobs) == set(knobs)
    for knob in book.knobs.values():
        listed = knobs[knob.name]
        assert (list(knob.choices), knob.printed, knob.about, knob.section) == (
            listed["choices"],
            listed["printed"],
            listed["about"],
            listed["section"],
        )
    limits = {limits["id"]: limits for limits in files["characteristics"]["characteristic"]}
    assert set(book.characteristics) == set(limits)
    for limit in book.characteristics.values():
        listed = limits[limit.characteristic]
        assert (limit.short, limit.kind, limit.best, limit.worst, limit.worst_on_experience_page) == (
            listed["short"],
            listed["kind"],
            listed["best"],
            listed["worst"],
            listed.get("worst_on_experience_page"),
        )
    purposes = {purpose["name"]: (purpose["die"], purpose["about"]) for purpose in files["dice"]["purpose"]}
    assert {purpose.name: (purpose.die, purpose.about) for purpose in book.purposes.values()} == purposes
    faces = {(die["name"], die["variant"]): tuple(die["symbols"]) for die in files["dice"].get("die", ())}
    assert {
        (kind, variant): die.symbols
        for kind, variants in book.special_dice.items()
        for variant, die in variants.items()
    } == faces
    traits = files.get("traits", {"trait": [], "elsewhere": {}})
    assert list(book.traits) == [trait["id"] for trait in traits["trait"]]
    assert list(book.traits_elsewhere) == list(traits.get("elsewhere", {}))
    for table in (*book.tables.values(), *book.charts.values()):
        assert (table.title, table.source) == (files[table.id]["title"], files[table.id]["source"])
    for chart in book.charts.values():
        assert chart.roll == files[chart.id]["roll"]
        assert [(band.id, band.name) for band in chart.bands] == [
            (band["id"], band["name"]) for band in files[chart.id]["band"]
        ]
    for table in book.tables.values():
        assert [(row.id, row.name) for row in table.rows] == [
            (row["id"], row["name"]) for row in files[table.id]["row"]
        ]


def test_a_book_that_does_not_exist_is_refused_with_the_nearest() -> None:
    with pytest.raises(UnknownBook) as refused:
        loader.book("necromunda_2032")
    assert refused.value.exit_code == 2
    assert refused.value.message() == (
        "There is no rulebook 'necromunda_2032'. Did you mean 'necromunda_2023'? Known:"
        f" {', '.join(loader.book_names())}."
    )


# --- policies and presets --------------------------------------------------------------------------------


def test_every_policy_is_what_its_file_says() -> None:
    files = [file for file in sorted((RULES / "policies").glob("*.toml")) if file.stem != "presets"]
    assert list(loader.policies()) == [path.stem for path in files]
    for file in files:
        data, read = toml(file), loader.policies()[file.stem]
        assert read.id == file.stem == f"{data['id']}@{data['version']}"
        facts = (read.policy, read.version, read.title, read.about, read.source)
        assert facts == (data["id"], data["version"], data["title"], data["about"], data["source"])
        assert (list(read.tags), read.patch) == (data["tags"], data["patch"])


def test_every_preset_is_what_the_file_says() -> None:
    data = toml(RULES / "policies" / "presets.toml")
    assert list(loader.presets()) == list(data)
    for name, preset in loader.presets().items():
        assert (preset.preset, preset.title, list(preset.policies)) == (
            name,
            data[name]["title"],
            data[name]["policies"],
        )
        assert loader.preset(name) == preset


def test_a_policy_without_a_version_is_the_newest(monkeypatch: pytest.MonkeyPatch) -> None:
    facts = {"title": "T", "about": "A", "source": "S", "tags": [], "patch": {}}
    made = [
        convert({"id": name, "version": version, **facts}, Policy, file="here")
        for name, version in (("alley-law", 2), ("alley-law", 10), ("alley-law", 9), ("zone-law", 11))
    ]
    monkeypatch.setattr(loader, "policies", lambda: {policy.id: policy for policy in made})
    assert loader.policy("alley-law").version == 10
    assert loader.policy("alley-law@9").version == 9


def test_a_house_rule_that_does_not_exist_is_refused_with_the_nearest() -> None:
    for said, meant in (
        ("one-lasting-injury-rol", "one-lasting-injury-roll"),
        ("one-lasting-injury-roll@9", "one-lasting-injury-roll@1"),
    ):
        with pytest.raises(UnknownPolicy) as refused:
            loader.policy(said)
        assert refused.value.message() == (
            f"There is no house rule {said!r}. Did you mean {meant!r}? See 'arbitrator policy list'."
        )


def test_a_preset_that_is_not_there_is_refused_with_the_nearest() -> None:
    with pytest.raises(UnknownPreset) as refused:
        loader.preset("necrodamos")
    assert refused.value.message() == (
        "There is no preset 'necrodamos'. Did you mean 'necrodamus'? Known:"
        f" {', '.join(toml(RULES / 'policies' / 'presets.toml'))}."
    )


@every("preset", loader.presets())
@every("book", loader.book_names())
def test_of_a_preset_those_policies_fit_whose_every_knob_the_book_has(preset: str, book: str) -> None:
    knobs = {knob["name"] for knob in toml(RULES / "books" / book / "knobs.toml")["knob"]}
    listed = toml(RULES / "policies" / "presets.toml")[preset]["policies"]
    moved = {name: set(toml(RULES / "policies" / f"{name}.toml")["patch"]) for name in listed}
    fitting, foreign = loader.fitting_policies(preset, book)
    assert list(fitting) == [name for name in listed if moved[name] <= knobs]
    assert list(foreign) == [name for name in listed if not moved[name] <= knobs]


def test_a_policy_file_has_exactly_the_keys_of_a_policy() -> None:
    whole = {"id": "a", "version": 1, "title": "", "about": "", "source": "", "tags": [], "patch": {}}
    assert convert(whole, Policy, file="a@1.toml").id == "a@1"
    without_about = {key: value for key, value in whole.items() if key != "about"}
    for wrong, fault in (
        ({**whole, "extra": 1}, "has an unknown 'extra'"),
        (without_about, "misses 'about'"),
    ):
        with pytest.raises(BrokenBook) as refused:
            convert(wrong, Policy, file="a@1.toml")
        assert refused.value.fault == fault


def test_a_policy_that_does_not_fit_the_book_is_refused_by_its_knob() -> None:
    with pytest.raises(UnknownKnob) as unknown:
        loader.rulebook("necromunda_2023", [("ours@1", {"lasting_injuries.roll": "once"})])
    assert unknown.value.message() == (
        "The book necromunda_2023 has no setting 'lasting_injuries.roll'. Did you mean 'lasting_injuries.rolls'?"
    )
    with pytest.raises(ImpossibleKnobValue) as impossible:
        loader.rulebook("necromunda_2023", [("ours@1", {"lasting_injuries.rolls": "twice"})])
    assert impossible.value.message() == (
        "The setting 'lasting_injuries.rolls' cannot be 'twice': it is one of each_out_of_action, once, none."
    )


def test_of_two_policies_on_one_knob_the_later_holds() -> None:
    patches = [
        ("a@1", {"lasting_injuries.rolls": "once"}),
        ("b@1", {"lasting_injuries.rolls": "each_out_of_action"}),
    ]
    printed = loader.rulebook("necromunda_2023", [])
    assert printed.knob("lasting_injuries.rolls") == "each_out_of_action"
    assert loader.rulebook("necromunda_2023", patches[:1]).knob("lasting_injuries.rolls") == "once"
    both = loader.rulebook("necromunda_2023", patches)
    assert both.settings == printed.settings
    assert both.digest == printed.digest, "the digest is of the rules, not of the way there"
    assert both.version == "necromunda_2023@1 + a@1 + b@1"


# --- files in disorder ----------------------------------------------------------------------------------

POLICY = 'id = "alley-law"\nversion = 1\ntitle = ""\nabout = ""\nsource = ""\ntags = []\n[patch]\n'


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of one's own, with nothing in it."""
    for name in ("books", "policies"):
        (tmp_path / name).mkdir()
    monkeypatch.setattr(loader, "_here", lambda name: tmp_path / name)
    return tmp_path


def test_what_is_no_folder_or_begins_with_an_underscore_is_no_book(folder: Path) -> None:
    for name in ("b_book", "_notes", "a_book"):
        (folder / "books" / name).mkdir()
    (folder / "books" / "readme.txt").write_text("", encoding="utf-8")
    assert loader.book_names() == ("a_book", "b_book")


def test_a_policy_whose_file_has_another_name_is_refused(folder: Path) -> None:
    (folder / "policies" / "street-law@1.toml").write_text(POLICY, encoding="utf-8")
    with pytest.raises(BrokenBook, match=r"^street-law@1\.toml: holds alley-law@1, whose file is named"):
        loader.policies()


def test_a_preset_that_lists_what_is_not_there_is_refused(folder: Path) -> None:
    (folder / "policies" / "alley-law@1.toml").write_text(POLICY, encoding="utf-8")
    preset = '[ours]\ntitle = "Ours"\npolicies = ["alley-law@1", "street-law@1"]\n'
    (folder / "policies" / "presets.toml").write_text(preset, encoding="utf-8")
    with pytest.raises(BrokenBook, match=r"^presets\.toml: ours lists street-law@1, which is no house rule"):
        loader.presets()


def test_a_file_that_is_missing_or_no_toml_is_refused_by_its_name(folder: Path) -> None:
    with pytest.raises(BrokenBook) as missing:
        loader.presets()
    assert (missing.value.file, missing.value.fault) == ("presets.toml", "is missing")
    for content in (b"title = \n", b'title = "\xff"\n'):
        (folder / "policies" / "presets.toml").write_bytes(content)
        with pytest.raises(BrokenBook) as unreadable:
            loader.presets()
        assert unreadable.value.file == "presets.toml"
        assert unreadable.value.fault.startswith("is no readable TOML (")
