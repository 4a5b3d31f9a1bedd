"""What is asked for each kind of entry, in this order, and in which step of a sequence it stands.

A key with `?` may be passed over with Enter; `key@purpose` is asked once that die lies on the table. A
command declares its own; here stand the entries whose models are written by hand. Kinds that declare nothing
are asked for what their model needs. All else can be said in an entry typed as YAML.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from tracker.campaign import records
from tracker.documents.wizard.forms import Form
from tracker.records import Record

_BATTLE: Final = {
    "hit": "attacker weapon profile? target close_combat?",
    "shoot": "attacker weapon profile? target range cover? closest? firepower_dice? under_marker?"
    " under_template? at_risk?",
    "reload": "fighter weapon profile?",
    "fight": "attacker targets weapons? charging? reaction?",
    "out_of_action": "fighter by? close_combat?",
    "seriously_injured": "fighter by? close_combat?",
    "flesh_wound": "fighter by?",
    "nerve": "fighter because_of friends_near",
    "flee": "gang voluntarily? fighters near? engaged?",
    "vehicle_hit": "attacker weapon profile? vehicle facing mobile close_combat?",
}
_AFTERWARDS: Final = {
    "recruit": "territory",
    "new_leader": "gang fighter? type?",
    "hire": "gang type name",
    "buy": "gang item for? vehicle? price?",
    "hand_over": "gang item from? to?",
    "advance": "fighter take set? skill? type?",
    "ganger_roll": "fighter choose? set?",
    "explore": "gang more_dice? rerolls?@exploration location?@exploration",
    "promotions": "gang troops deeds?",
    "ransom": "fighter ducats?",
}
_ACTIVITY: Final = {
    "new_leader": "clean_house", "buy_vehicle": "trading_post", "buy": "trading_post",
    "hand_over": "distribute_equipment", "advance": "advancements", "ganger_roll": "advancements",
    "promote": "advancements", "recruit": "boons", "equipment": "boons", "promotions": "promotion",
    "explore": "exploration",
}  # fmt: skip


_DECLARED: Final = {
    key: one for one in records.DECLARATIONS.values() for key in (one.entry, one.exchange) if key
}


class Prompt(Record):
    """One key that is asked for. `after` is the die that has to lie there before the key can be answered."""

    key: str
    may_pass: bool = False
    after: str | None = None


def prompts_of(form: Form, *, afterwards: bool) -> tuple[Prompt, ...]:
    """What is asked for such an entry, in order."""
    listed = (_AFTERWARDS if afterwards else _BATTLE).get(form.kind)
    if listed is None and form.kind in _DECLARED:
        listed = _DECLARED[form.kind].asks
    if listed is None:
        return tuple(Prompt(key=key) for key in form.needed)
    return tuple(_asked(word) for word in listed.split())


def _asked(word: str) -> Prompt:
    named, _, after = word.partition("@")
    return Prompt(key=named.rstrip("?"), may_pass=named.endswith("?"), after=after or None)


def step_of(kind: str, at: Mapping[str, str]) -> str | None:
    """The step in which such an entry stands, by a book's `at`; None where it may stand in any."""
    declared = _DECLARED.get(kind)
    activity = declared.activity if declared is not None else _ACTIVITY.get(kind)
    if kind == "hire":
        activity = "hire" if "hire" in at else "trading_post"
    return at.get(activity) if activity is not None else None
