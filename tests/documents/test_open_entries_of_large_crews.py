"""What nobody of two large crews can do is not offered, however many pairs of them there are to try."""

from scenario import KRUG, campaign, card, enlist, opening

from tracker.documents.wizard.context import Context
from tracker.documents.wizard.forms import battle_forms
from tracker.documents.wizard.legal_entries import open_kinds
from tracker.rules import loader

CREW = 14


def kinds(*skills: str) -> set[str]:
    """What is open in a battle of fourteen against fourteen, of whom one has these skills."""
    skulls = [card(KRUG, skills=skills), *(card(f"skull-{n}") for n in range(1, CREW))]
    table = campaign(enlist("skulls", *skulls), enlist("saints", *(card(f"saint-{n}") for n in range(CREW))))
    state = table.when(opening(1, crews={"skulls": (), "saints": ()})).state
    context = Context(state=state, book=loader.book(state.book), gangs=("skulls", "saints"))
    forms = {kind: battle_forms()[kind] for kind in ("order", "headbutt", "shoot", "fight")}
    return {form.kind for form in open_kinds(context, forms)}


def test_who_has_no_skill_for_it_gives_no_order_in_large_crews() -> None:
    assert kinds() == {"fight"}


def test_who_has_the_skill_for_it_may_give_an_order_in_large_crews() -> None:
    assert kinds("Overseer") == {"fight", "order"}
