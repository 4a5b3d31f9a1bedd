"""The routes of the pages: path, template, required right, and view.

A page whose view runs several commands needs the right of each; a caller without `right` gets no page.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, Final, Literal, NamedTuple, TypeAlias

from tracker.server.pages import (
    armoury,
    battles,
    beginning,
    board,
    campaigns,
    disputes,
    exchanges,
    gang_builder,
    gang_pictures,
    gangs,
    house_rules,
    imports,
    log_pages,
    members,
    operations,
    outcomes,
    own_house_rule,
    post_battle,
    recorded_wrongly,
    rollbacks,
    table,
)
from tracker.server.pages.forms import BYTES_MAX, FormValues, Redirect
from tracker.server.pages.operation_fields import DOCUMENT, takes
from tracker.server.pages.operation_words import OPERATIONS
from tracker.server.pages.page_request import PageRequest

View: TypeAlias = Callable[[PageRequest], Mapping[str, Any]]
"""Returns the values for the template. Runs in a reading thread, with consistent reads."""
Act: TypeAlias = Callable[[PageRequest, FormValues], Redirect | None]
"""Runs a form, in a writing thread. A refusal is shown on the page again, with the typed values; without a
redirect, the page shows the result.
"""


class PageRoute(NamedTuple):
    """A page."""

    path: str
    """The path; `{campaign}` is the campaign, every other name in braces is for the view."""
    template: str
    right: str
    """The required right: an operation of the table of rights."""
    view: View
    only_shows: bool = False
    """Whether it has no form that records, so that its response may be cached."""
    never_kept: bool = False
    """Whether a browser that goes back must load it again, because its content has changed."""
    called: str = ""
    """The label in the campaign's navigation; empty for pages without an entry."""
    icon: str = "scroll-text"
    """The icon of the entry."""
    shown: Literal["always", "beside", "more"] = "more"
    """Where the entry is shown: always, also in a phone's bar, which has room for four; beside these on a
    wide screen; under 'More'.
    """


class FormRoute(NamedTuple):
    """A form, sent by POST to `path`."""

    path: str
    right: str
    act: Act
    template: str
    view: View
    """The template of the page with the form, which is shown again after a refusal."""
    bytes_max: int = BYTES_MAX
    takes_file: bool = False


HERE: Final = "/campaigns/{campaign}"

_OWN_PAGES: Final = (
    PageRoute("/", "home", "campaign list", campaigns.home),
    PageRoute(beginning.PATH, "begin", "campaign new", beginning.begin),
    PageRoute(
        HERE, "campaign", "standings show", campaigns.campaign,
        only_shows=True, called="Standings", icon="trophy", shown="always",
    ),
    PageRoute(
        f"{HERE}/gangs", "gangs", "roster show", campaigns.gangs,
        only_shows=True, called="{game.Gangs}", icon="users", shown="always",
    ),
    PageRoute(f"{HERE}/gangs/{{gang}}", "gang", "roster show", gangs.gang, only_shows=True),
    PageRoute(f"{HERE}/begin-gang", "gang_builder", "gang add", gang_builder.begin, never_kept=True),
    PageRoute(f"{HERE}/gangs/{{gang}}/edit", "gang_builder", "gang amend", gang_builder.edit),
    PageRoute(f"{HERE}/gangs/{{gang}}/join", "gang_builder", "fighter add", gang_builder.join),
    PageRoute(f"{HERE}/gangs/{{gang}}/cards", "cards", "roster show", gangs.printed_cards, only_shows=True),
    PageRoute(f"{HERE}/gangs/{{gang}}/emblem", "emblem", "gang emblem", gang_pictures.emblem),
    PageRoute(f"{HERE}/gangs/{{gang}}/ledger", "ledger", "gang ledger", gangs.ledger, only_shows=True),
    PageRoute(f"{HERE}/gangs/{{gang}}/why/{{number}}", "why", "explain", gangs.why, only_shows=True),
    PageRoute(f"{HERE}/fighters/{{fighter}}", "fighter", "fighter show", gangs.fighter, only_shows=True),
    PageRoute(f"{HERE}/fighters/{{fighter}}/why/{{number}}", "why", "explain", gangs.why, only_shows=True),
    PageRoute(
        f"{HERE}/battles", "battles", "battle list", battles.battles,
        only_shows=True, called="Battles", icon="swords", shown="always",
    ),
    PageRoute(f"{HERE}/battles/{{battle}}", "battle", "battle show", battles.battle),
    PageRoute(
        f"{HERE}/record", "drafts", "battle list", table.drafts,
        called="Record", icon="notebook-pen", shown="always",
    ),
    PageRoute(f"{HERE}/record/{{draft}}", "draft", "draft show", table.draft),
    PageRoute(f"{HERE}/record/battle", "battle_new", "draft begin", board.new_battle),
    PageRoute(f"{HERE}/record/{{draft}}/board", "board", "draft show", board.board),
    PageRoute(f"{HERE}/record/{{draft}}/outcomes", "outcomes", "draft show", outcomes.outcomes),
    PageRoute(f"{HERE}/reports/{{proposal}}", "report", "battle proposal", table.report),
    PageRoute(
        f"{HERE}/timeline", "timeline", "campaign timeline", campaigns.season,
        only_shows=True, called="Timeline", icon="calendar-days", shown="beside",
    ),
    PageRoute(
        f"{HERE}/disputes", "disputes", "dispute list", disputes.disputes,
        called="Disputes", icon="gavel", shown="beside",
    ),
    PageRoute(f"{HERE}/disputes/new", "dispute_new", "dispute open", disputes.new),
    PageRoute(f"{HERE}/disputes/{{dispute}}", "dispute", "dispute show", disputes.dispute),
    PageRoute(
        f"{HERE}/house-rules", "house_rules", "policy list", house_rules.house_rules,
        called="House rules", icon="book-open", shown="beside",
    ),
    PageRoute(f"{HERE}/house-rules/own", "own_house_rule", "policy adopt", own_house_rule.own_house_rule),
    PageRoute(f"{HERE}/house-rules/{{policy}}", "house_rule", "policy show", house_rules.house_rule),
    PageRoute(f"{HERE}/judge", "exchange", "roster show", exchanges.exchange, called="Odds", icon="percent"),
    PageRoute(f"{HERE}/rollback", "rollback", "rollback preview", rollbacks.rollback),
    PageRoute(
        f"{HERE}{armoury.PATH}", "armoury", "campaign armoury", armoury.armoury,
        called="Weapons and fighters", icon="shopping-cart",
    ),
    PageRoute(f"{HERE}/import", "gang_import", "gang add", imports.gang_import),
    PageRoute(
        f"{HERE}/compare", "compare", "roster diff", campaigns.compare,
        only_shows=True, called="Compare", icon="git-compare",
    ),
    PageRoute(
        f"{HERE}/log", "log", "log show", log_pages.log, only_shows=True, called="Log", icon="history"
    ),
    PageRoute(f"{HERE}/log/proof", "proof", "audit verify", log_pages.proof),
    PageRoute(f"{HERE}/log/{{entry}}", "log_entry", "log entry", log_pages.entry),
    PageRoute(f"{HERE}/log/{{entry}}/correct", "recorded_wrongly", "entry amend", recorded_wrongly.entry),
    PageRoute(f"{HERE}/log/{{entry}}/forgotten", "recorded_wrongly", "entry add", recorded_wrongly.forgotten),
    PageRoute(
        f"{HERE}/battles/{{battle}}/correct", "recorded_wrongly", "battle amend", recorded_wrongly.battle
    ),
    PageRoute(
        f"{HERE}/disputes/{{dispute}}/correct", "recorded_wrongly", "dispute rule", recorded_wrongly.entry
    ),
    PageRoute(
        f"{HERE}/members", "members", "member list", members.members, called="Members", icon="user-plus",
    ),
    PageRoute(f"{HERE}/welcome", "welcome", "member list", members.welcome),
)  # fmt: skip

_HOUSE_RULE: Final = f"{HERE}/house-rules/{{policy}}"
_GANG: Final = f"{HERE}/gangs/{{gang}}"
_DISPUTE: Final = f"{HERE}/disputes/{{dispute}}"
_DRAFT: Final = f"{HERE}/record/{{draft}}"
_PROPOSAL: Final = f"{HERE}/reports/{{proposal}}"
_MEMBERS: Final = f"{HERE}/members"
_OWN_FORMS: Final = (
    FormRoute(beginning.PATH, "campaign new", beginning.create, "begin", beginning.begin),
    *(
        FormRoute(f"{_MEMBERS}/{below}", right, act, "members", members.members)
        for below, right, act in (
            ("invite", "member invite", members.invite),
            ("back", "member invite", members.back),
            ("revoke", "member revoke-invite", members.revoke),
            ("role", "member role", members.change_role),
            ("remove", "member remove", members.remove),
            ("visibility", "campaign visibility", members.set_visibility),
            ("recorders", "campaign recorders", members.set_recorders),
            ("dice", "campaign dice", members.set_dice),
        )
    ),
    *(
        FormRoute(
            f"{HERE}/import{below}",
            "gang add",
            act,
            "gang_import",
            imports.gang_import,
            bytes_max=imports.FORM_BYTES_MAX,
            takes_file=True,
        )
        for below, act in (("", imports.read), ("/add", imports.add))
    ),
    *(
        FormRoute(
            f"{HERE}/gangs/{{gang}}/emblem{below}",
            "gang emblem",
            act,
            "emblem",
            gang_pictures.emblem,
            bytes_max=gang_pictures.FORM_BYTES_MAX,
            takes_file=True,
        )
        for below, act in (("", gang_pictures.upload), ("/remove", gang_pictures.remove))
    ),
    *(
        FormRoute(
            f"{HERE}{armoury.PATH}{below}",
            "campaign armoury",
            act,
            "armoury",
            armoury.armoury,
            bytes_max=imports.FORM_BYTES_MAX,
            takes_file=True,
        )
        for below, act in (
            ("", armoury.read),
            ("/keep", armoury.keep),
            ("/of-cards", armoury.keep_cards),
            ("/drop", armoury.drop),
        )
    ),
    FormRoute(
        f"{HERE}/begin-gang",
        "gang add",
        gang_builder.work,
        "gang_builder",
        gang_builder.begin,
        bytes_max=imports.FORM_BYTES_MAX,
    ),
    FormRoute(
        f"{HERE}/begin-gang/discard",
        "draft discard",
        gang_builder.discard,
        "gang_builder",
        gang_builder.begin,
    ),
    FormRoute(f"{_GANG}/edit", "gang amend", gang_builder.look, "gang_builder", gang_builder.edit),
    FormRoute(f"{_GANG}/edit/rule", "gang amend", gang_builder.rule, "gang_builder", gang_builder.edit),
    FormRoute(f"{_GANG}/join", "fighter add", gang_builder.let_join, "gang_builder", gang_builder.join),
    FormRoute(f"{HERE}/record", "draft begin", table.begin, "drafts", table.drafts),
    FormRoute(_DRAFT, "draft answer", table.answer, "draft", table.draft),
    FormRoute(f"{HERE}/record/after", "draft begin", post_battle.begin, "drafts", table.drafts),
    FormRoute(f"{HERE}/record/battle", "draft begin", board.begin, "battle_new", board.new_battle),
    FormRoute(f"{_DRAFT}/board", "draft answer", board.answer, "board", board.board),
    FormRoute(f"{_DRAFT}/board/entry", "draft answer", post_battle.enter, "board", board.board),
    FormRoute(f"{_DRAFT}/outcomes", "draft answer", outcomes.enter, "outcomes", outcomes.outcomes),
    FormRoute(f"{_DRAFT}/board/undo", "draft undo", board.undo, "board", board.board),
    FormRoute(f"{_DRAFT}/board/discard", "draft discard", board.discard, "board", board.board),
    FormRoute(f"{_DRAFT}/board/record", "draft discard", board.record, "board", board.board),
    FormRoute(f"{_DRAFT}/board/propose", "battle propose", board.propose, "board", board.board),
    FormRoute(f"{_DRAFT}/undo", "draft undo", table.undo, "draft", table.draft),
    FormRoute(f"{_DRAFT}/discard", "draft discard", table.discard, "draft", table.draft),
    FormRoute(f"{_DRAFT}/record", "draft discard", table.record, "draft", table.draft),
    FormRoute(f"{_DRAFT}/propose", "battle propose", table.propose, "draft", table.draft),
    FormRoute(f"{_PROPOSAL}/confirm", "battle confirm", table.confirm, "drafts", table.drafts),
    FormRoute(f"{_PROPOSAL}/object", "battle object", table.objection, "drafts", table.drafts),
    FormRoute(f"{_PROPOSAL}/take-in", "battle take-in", table.take_in, "drafts", table.drafts),
    FormRoute(f"{_PROPOSAL}/withdraw", "battle withdraw", table.withdraw, "drafts", table.drafts),
    FormRoute(f"{HERE}/log/{{event}}/confirm", "log confirm", battles.confirm, "log_entry", log_pages.entry),
    FormRoute(f"{HERE}/disputes", "dispute open", disputes.open_dispute, "dispute_new", disputes.new),
    FormRoute(f"{_DISPUTE}/comments", "dispute comment", disputes.comment, "dispute", disputes.dispute),
    FormRoute(f"{_DISPUTE}/withdraw", "dispute withdraw", disputes.withdraw, "dispute", disputes.dispute),
    FormRoute(f"{_DISPUTE}/rule", "dispute rule", disputes.rule, "dispute", disputes.dispute),
    *(
        FormRoute(f"{HERE}{path}{below}", right, act, "recorded_wrongly", view, takes_file=True)
        for path, right, rule, view in (
            ("/log/{entry}/correct", "entry amend", recorded_wrongly.rule_entry, recorded_wrongly.entry),
            (
                "/log/{entry}/forgotten",
                "entry add",
                recorded_wrongly.rule_forgotten,
                recorded_wrongly.forgotten,
            ),
            (
                "/battles/{battle}/correct",
                "battle amend",
                recorded_wrongly.rule_battle,
                recorded_wrongly.battle,
            ),
            (
                "/disputes/{dispute}/correct",
                "dispute rule",
                recorded_wrongly.rule_entry,
                recorded_wrongly.entry,
            ),
        )
        for below, act in (("", recorded_wrongly.look), ("/rule", rule))
    ),
    FormRoute(f"{HERE}/rollback", "rollback rule", rollbacks.roll_back, "rollback", rollbacks.rollback),
    FormRoute(
        f"{HERE}/house-rules/own",
        "policy adopt",
        own_house_rule.adopt,
        "own_house_rule",
        own_house_rule.own_house_rule,
    ),
    FormRoute(
        f"{_HOUSE_RULE}/adopt", "policy adopt", house_rules.adopt, "house_rule", house_rules.house_rule
    ),
    FormRoute(
        f"{_HOUSE_RULE}/repeal", "policy repeal", house_rules.repeal, "house_rule", house_rules.house_rule
    ),
)

DERIVED: Final = tuple(
    operation for operation in OPERATIONS if operation not in {form.right for form in _OWN_FORMS}
)
"""Operations whose form is derived from their command, because they have no page of their own."""
PAGES: Final = (
    *_OWN_PAGES,
    PageRoute(
        f"{HERE}/do",
        "operations",
        "campaign show",
        partial(operations.operations, offered=DERIVED),
        called="What can be done",
        icon="hammer",
    ),
    *(
        PageRoute(f"{HERE}{operations.path_of(operation)}", "operation", operation, operations.operation)
        for operation in DERIVED
    ),
)
FORMS: Final = (
    *_OWN_FORMS,
    *(
        FormRoute(
            f"{HERE}{operations.path_of(operation)}",
            operation,
            operations.act,
            "operation",
            operations.operation,
            takes_file=takes(operation, DOCUMENT),
        )
        for operation in DERIVED
    ),
)
