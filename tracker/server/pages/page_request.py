"""A page's request: who asks, of which campaign, and the reports of commands that they may ask for.

Every command is asked for with the right of that command, so a page shows nothing that the API would not.
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
        """As If-Match has it, and the hidden field `head` of a form."""
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
        """None where nobody is signed in."""
        self.at = at
        """The page's path below its campaign, as the table of pages has it."""
        self.path, self.query = path, query
        self.address = address
        """Where people reach the service: for links that leave it."""
        self.made: Any = None
        """What a form made that holds a secret: it is shown this once."""
        self.asked = FormValues({})
        """The query, with every value of a name."""
        self.slug = path.get("campaign")
        self.campaign: str | None = None
        """The campaign's id, once `require` has let somebody in."""
        self.refused: Mapping[str, Any] | None = None
        """Why the form was refused, as a problem."""
        self.typed = FormValues({})
        """What it held."""
        self.receipt: Page | str | None = None
        """What came of it, where the page says so itself."""

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
        """Whether who asks may ask for that here at all: for buttons. The command itself decides again."""
        try:
            self.require(operation)
        except (Forbidden, Refusal):
            return False
        return True

    def strangers_may(self, operation: str) -> bool:
        """Whether everybody may ask for that here: for links that chat programs look into."""
        try:
            self._access.entered(STRANGER, self.slug or "").require(operation)
        except (Forbidden, Refusal):
            return False
        return True

    def may_record(self, operation: str, commands: Sequence[records.Command], state: CampaignState) -> bool:
        """Whether these commands are theirs to ask for so: for buttons, too."""
        if self.caller is None or not self.may(operation):
            return False
        try:
            self._access.allow(self.caller, self.known_campaign, operation, {})(commands, state)
        except NotAllowed:
            return False
        return True

    @property
    def known_campaign(self) -> str:
        """The campaign's id, on a page of one."""
        assert self.campaign is not None, "a page of a campaign has required a right in it"
        return self.campaign

    @property
    def boards(self) -> Boards:
        """What is read of the campaign beside the reports."""
        return self.opened.boards

    def is_kept_by(self, opened: Tracker) -> bool:
        """Whether it is of a campaign of that very database."""
        return self.campaign is not None and self.opened is opened

    def kept(self, what: str, work_out: Callable[[], Answer]) -> Answer:
        """What was worked out for the log as it is now, by whoever asked first. It names nobody."""
        return self.opened.repository.cached(self.known_campaign, ("page", what), work_out)

    @property
    def tracker(self) -> Tracker:
        """The database, on behalf of the person who asks."""
        return self.opened.on_behalf_of((self.caller or STRANGER).actor)

    def report(
        self, command: str, form: Form = "json", /, *, files: Mapping[str, bytes] | None = None, **given: Any
    ) -> Page:
        """What a reading command shows, given its parameters by their names. Raises Refusal, Forbidden.

        Some reports have parts for HTML only: pictures.
        """
        page = self._ran(command, given, RemoteRequest(), files=files or {}, form=form)
        assert isinstance(page, Page), f"{command} shows a page"
        return page

    def data(self, command: str, /, **given: Any) -> Mapping[str, Any]:
        """The same as data."""
        return self.report(command, **given).data()

    def data_of_files(self, command: str, files: Mapping[str, bytes], /, **given: Any) -> Mapping[str, Any]:
        """What a reading command makes of several files that were sent, as data."""
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
        """Run a writing command, in a writing thread. Gives its receipt."""
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
        """What a writing command would record for this person: its dry run. Raises Refusal, NotAllowed."""
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
        """What the campaign is called."""
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
    """What is given, by the options that say it: rights are about these."""
    called = {parameter.name: parameter for parameter in command_called(command).params}
    return {
        long_option(called[name]).lstrip("-").replace("-", "_") if name in called else name: value
        for name, value in given.items()
    }
