"""Names that read alike are one person's; names that read otherwise are not."""

from tables import every

from tracker.service.confusable_names import are_confusable


@every(
    ("one", "other"),
    [
        ("ARB", "arb"),
        ("ARB", "ＡＲＢ"),
        ("arb", "Αrb"),  # a Greek Alpha
        ("ARB", "АRВ"),  # a Cyrillic A and Ve
        ("𝐀𝐫𝐛", "arb"),
        ("Ian", "lan"),
        ("Tom", "Torn"),
        ("ﬁnn", "Finn"),
        ("O'Hara", "0'Hara"),
        ("Straße", "STRASSE"),
    ],
)
def test_names_of_one_look_are_one(one: str, other: str) -> None:
    assert are_confusable(one, other)
    assert are_confusable(other, one)


@every(
    ("one", "other"),
    [("Ian", "Lan"), ("Robin", "Robyn"), ("Ann", "Anne"), ("Ivo", "Iva"), ("Zoë", "Zoe"), ("arb", "arbitrator")],
)  # fmt: skip
def test_names_of_another_look_are_two(one: str, other: str) -> None:
    assert not are_confusable(one, other)
    assert not are_confusable(other, one)
