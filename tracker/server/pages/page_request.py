"""A page's request: the person, the campaign, and the reports of commands that they may read.

Every command needs its own right, so a page shows nothing that the API would not.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple, TypeVar

from tracker.campaign import records
from tracker.campaign.state import CampaignState
from tracker.cli.argv import argv_of, long_option
from tracker.cli.receipts import page_of
from tracker.errors import Refusal
from tracker.reports.page import Form, Page
from tracker.rights import NotAllowed
from tracker.server import running
from tracker.server.access import STRANGER, Access, Caller, Forbidden, SignedInMember
from tracker.server.pages.forms import FormValues
from tracker.server.parameters import command_called
from tracker.service.application import Tracker
from tracker.service.boards import Boards
from tracker.service.repository import RemoteRequest

Answer = TypeVar("Answer")


class ShownHead(NamedTuple):
    """The state of a campaign's log that a page shows."""

    events: int
    leaf: str

    @property
    def tag(self) -> str:
        """The ETag for If-Match and the hidden field `head` of a form."""
        return f"{self.events}-{self.leaf}"


class PageRequest:
    """One request of a page."""

    def __init__(
        self,
        opened: Tracker,
        access: Access,
        caller: Caller | None,
        *,
        at: str,
        path: Mapping[str, str],
        query: Mapping[str, str],
        address: str = "",
    ) -> None:
        self._access = access
        self.opened = opened
        """The database that keeps the campaign."""
        self._required: set[str] = set()
        self._entered: SignedInMember | None = None
        self.caller = caller
        """None without a sign-in."""
        self.at = at
        """The page's path template below its campaign."""
        self.path, self.query = path, query
        self.address = address
        """The address of the service, for links that people pass on."""
        self.made: Any = None
        """A secret that a form made; it is shown only once."""
        self.asked = FormValues({})
        """The query, with every value of a name."""
        self.slug = path.get("campaign")
        self.campaign: str | None = None
        """The campaign's id, after `require`."""
        self.refused: Mapping[str, Any] | None = None
        """The refusal of the form, as a problem."""
        self.typed = FormValues({})
        """The values of the refused form."""
        self.receipt: Page | str | None = None
        """The result of the form, if the page shows it itself."""

    def require(self, operation: str) -> None:
        """Raises UnknownCampaign, Forbidden."""
        if operation in self._required:
            return
        caller = self.caller or STRANGER
        if self.slug is None:
            self._access.anywhere(caller, operation)
        else:
            self._entered = self._entered or self._access.entered(caller, self.slug)
            self._entered.require(operation)
            self.campaign = self._entered.campaign
        self._required.add(operation)

    def may(self, operation: str) -> bool:
        """Whether the person's role may do that here, for buttons. The command checks again."""
        try:
            self.require(operation)
        except (Forbidden, Refusal):
            return False
        return True

    def strangers_may(self, operation: str) -> bool:
        """Whether everybody may do that here, for links that chat programs read."""
        try:
            self._access.entered(STRANGER, self.slug or "").require(operation)
        except (Forbidden, Refusal):
            return False
        return True

    def may_record(self, operation: str, commands: Sequence[records.Command], state: CampaignState) -> bool:
        """Whether the person may give these commands, for buttons."""
        if self.caller is None or not self.may(operation):
            return False
        try:
            self._access.allow(self.caller, self.known_campaign, operation, {})(commands, state)
        except NotAllowed:
            return False
        return True

    @property
    def known_campaign(self) -> str:
        """The campaign's id, on a page of a campaign."""
        assert self.campaign is not None, "a page of a campaign has required a right in it"
        return self.campaign

    @property
    def boards(self) -> Boards:
        """The boards, for data beside the reports."""
        return self.opened.boards

    def is_kept_by(self, opened: Tracker) -> bool:
        """Whether it is about a campaign of this database."""
        return self.campaign is not None and self.opened is opened

    def kept(self, what: str, work_out: Callable[[], Answer]) -> Answer:
        """The result of `work_out` for the present log, cached for everybody. It must not name people."""
        return self.opened.repository.cached(self.known_campaign, ("page", what), work_out)

    @property
    def tracker(self) -> Tracker:
        """The database, on behalf of the person who asks."""
        return self.opened.on_behalf_of((self.caller or STRANGER).actor)

    def report(
        self, command: str, form: Form = "json", /, *, files: Mapping[str, bytes] | None = None, **given: Any
    ) -> Page:
        """The page that a reading command shows, with its parameters by name. Raises Refusal, Forbidden.

        Some reports have parts for HTML only: pictures.
        """
        page = self._ran(command, given, RemoteRequest(), files=files or {}, form=form)
        assert isinstance(page, Page), f"{command} shows a page"
        return page

    def data(self, command: str, /, **given: Any) -> Mapping[str, Any]:
        """The data that a reading command shows."""
        return self.report(command, **given).data()

    def data_of_files(self, command: str, files: Mapping[str, bytes], /, **given: Any) -> Mapping[str, Any]:
        """The data that a reading command makes of uploaded files."""
        page = self._ran(command, {**given, "files": [*files]}, RemoteRequest(), files=files)
        assert isinstance(page, Page), f"{command} shows a page"
        return page.data()

    def do(
        self,
        command: str,
        /,
        *,
        sending: RemoteRequest,
        files: Mapping[str, bytes] | None = None,
        **given: Any,
    ) -> Page | str:
        """Run a writing command, in a writing thread; returns its receipt."""
        assert self.caller is not None, "who writes is signed in"
        if self.slug is not None:
            self.require(command)
            assert self.campaign is not None, "require has found it"
            allow = self._access.allow(self.caller, self.campaign, command, _as_options(command, given))
            sending = sending._replace(allow=allow, claim=self._access.claim(self.caller, self.campaign))
            if sending.key:
                recorded = self.opened.on_behalf_of(self.caller.actor, sending).commands
                known = recorded.recorded_as(self.campaign)
                if known is not None:  # the form was sent twice
                    return page_of(known)
        return self._ran(command, given, sending, files=files or {})

    def would(self, command: str, /, *, files: Mapping[str, bytes], **given: Any) -> Page | str:
        """The receipt of a writing command's dry run for this person. Raises Refusal, NotAllowed."""
        self.require(command)
        assert self.caller is not None, "who writes is signed in"
        allow = self._access.allow(self.caller, self.known_campaign, command, _as_options(command, given))
        return self._ran(command, {**given, "dry_run": True}, RemoteRequest(allow=allow), files=files)

    def _ran(
        self,
        command: str,
        given: Mapping[str, Any],
        sending: RemoteRequest,
        *,
        files: Mapping[str, bytes],
        form: Form = "json",
    ) -> Page | str:
        self.require(command)
        caller = self.caller or STRANGER
        mine = self.opened.on_behalf_of(caller.actor, sending)
        called = command_called(command)
        words = argv_of(called, given)
        if form != "json":
            words.insert(0, f"--format={form}")
        elif any(parameter.name == "as_json" for parameter in called.params):
            words.insert(0, "--json")
        session = running.ServedSession(mine, self.slug, sees=lambda row: self._access.sees(caller, row))
        collected = running.CollectedOutput()
        running.run(called, command, words, session, files=files, collected=collected)
        if session.began is not None:
            self._access.began(caller, mine.directory.campaign_id(session.began))
        return collected.shown[-1].page

    def campaign_name(self) -> str | None:
        """The campaign's name, or None."""
        if self.campaign is None:
            return None
        rows = self.opened.directory.rows()
        return next((str(row["name"]) for row in rows if row["campaign"] == self.campaign), self.slug)

    def head(self) -> ShownHead | None:
        """The head of the campaign's log."""
        if self.campaign is None:
            return None
        head = self.opened.repository.store.head(self.campaign)
        return ShownHead(head.size, head.leaf_hex[:16])


def _as_options(command: str, given: Mapping[str, Any]) -> dict[str, Any]:
    """The parameters by the options that set them, because rights depend on options."""
    called = {parameter.name: parameter for parameter in command_called(command).params}
    return {
        long_option(called[name]).lstrip("-").replace("-", "_") if name in called else name: value
        for name, value in given.items()
    }
