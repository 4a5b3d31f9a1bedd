"""Names, notes and ids."""

import pytest
from tables import every

from tracker.documents.text import TextRefused, clean_name, clean_note, is_slug, slug_of


def test_a_name_is_kept_composed_and_with_single_spaces() -> None:
    assert clean_name("  Jose\u0301   the\u00a0Rat ") == "José the Rat"


@every("name", ["Krug", "Ørjan", "Мара", "骷髅", "Mags 'Nine' O\u2019Dea", "Vex 💀", "א׳"])
def test_names_of_any_script_are_kept(name: str) -> None:
    assert clean_name(name) == name


@every(
    "name",
    [
        "",
        "   ",
        "\u00a0\u3000",
        "\u0301",
        "\u3164",
        "two\nlines",
        "Krug\n",
        "tab\tbed",
        "bell\x07",
        "\x1b[31mred",
        "nul\x00",
        "next\x85line",
        "para\u2029graph",
        "right\u202eleft",
        "isolate\u2066d",
        "mark\u200fed",
        "zero\u200bwidth",
        "join\u200der",
        "bom\ufeff",
        "soft\u00adhyphen",
        "half\ud800",
        "private\ue000",
        "x" * 81,
    ],
)
def test_a_name_that_hides_something_or_is_nothing_is_refused(name: str) -> None:
    with pytest.raises(TextRefused) as raised:
        clean_name(name)
    assert raised.value.message().isprintable()


def test_a_name_may_have_eighty_characters_and_a_note_five_hundred() -> None:
    assert clean_name("x" * 80) == "x" * 80
    assert clean_note("x" * 500) == "x" * 500
    with pytest.raises(TextRefused, match="1 to 500"):
        clean_note("x" * 501)


def test_a_note_from_a_yaml_block_loses_its_last_line_end() -> None:
    assert clean_note("cocked die, rolled again\n") == "cocked die, rolled again"


def test_a_name_of_endless_marks_is_refused_before_it_is_put_in_order() -> None:
    with pytest.raises(TextRefused):
        clean_name("a" + "\u0301\u0323" * 500_000)


@every("slug", ["a", "iron-skulls", "2nd", "a" * 40])
def test_ids_are_small_letters_digits_and_dashes(slug: str) -> None:
    assert is_slug(slug)


@every("slug", ["", "-a", "A", "a b", "a_b", "é", "a" * 41, "a\n", "٣"])
def test_other_ids_are_refused(slug: str) -> None:
    assert not is_slug(slug)


@every(
    ("name", "slug"),
    [
        ("Krug the Anvil", "krug-the-anvil"),
        ("Mags 'Nine' O'Dea", "mags-nine-odea"),
        ("Ærik Øst-Łuk", "aerik-ost-luk"),
        ("José  №7", "jose-no7"),
        ("x" * 80, "x" * 40),
        ("骷髅", "kulou"),
        ("Шрам", "shram"),
        ("Κράτος", "kratos"),
        ("Krug’s Шрам 2", "krugs-shram-2"),
        ("解體者", "jietizhe"),
        ("💀", "skull"),
    ],
)
def test_an_id_is_made_from_a_name(name: str, slug: str) -> None:
    assert slug_of(name) == slug
