"""Actions of skills in the wizard: it offers those alone whom the rules allow."""

from scenario import DOT, KRUG, MAGS, SAINTS, SKULLS, VEX, Table, card, flesh_wound, given
from tables import every

from tracker.documents.wizard import legal_entries
from tracker.documents.wizard.context import Context
from tracker.documents.wizard.forms import battle_forms
from tracker.documents.wizard.prompts import prompts_of
from tracker.rules import loader


def at(table: Table) -> Context:
    return Context(state=table.state, book=loader.book(table.state.book), gangs=(SKULLS, SAINTS))


def offered(table: Table, kind: str, key: str, **answers: object) -> set[str]:
    form = battle_forms()[kind]
    (asked,) = [prompt for prompt in prompts_of(form) if prompt.key == key]
    return {choice.value for choice in legal_entries.choices(at(table), form, asked, answers) or ()}


def kinds(table: Table) -> set[str]:
    return {form.kind for form in legal_entries.open_kinds(at(table), battle_forms())}


@every(
    ("kind", "skill", "key", "answers", "whom"),
    [
        ("hurl", "Hurl", "target", {"attacker": KRUG}, {MAGS, DOT}),
        ("hurl", "Hurl", "meets", {"attacker": KRUG, "target": MAGS}, {VEX, DOT}),
        ("headbutt", "Headbutt", "target", {"attacker": KRUG}, {MAGS, DOT}),
        ("mentor", "Mentor", "fighter", {"by": KRUG}, {VEX}),
    ],
)
def test_an_action_of_a_skill_names_enemies_or_friends_as_the_rule_does(
    kind: str, skill: str, key: str, answers: dict[str, object], whom: set[str]
) -> None:
    assert offered(given(card(KRUG, skills=(skill,))), kind, key, **answers) == whom


def test_wounds_are_treated_only_of_a_friend_who_has_any() -> None:
    medic = given(card(KRUG, skills=("Medicae",)))
    assert "treat_wounds" not in kinds(medic)
    hurt = medic.when(flesh_wound(VEX)).when(flesh_wound(MAGS))
    assert "treat_wounds" in kinds(hurt)
    assert offered(hurt, "treat_wounds", "by") == {KRUG}
    assert offered(hurt, "treat_wounds", "fighter", by=KRUG) == {VEX}
