"""The session: which database, which campaign, who is typing. Opened only when a command needs it.

Knows where the chosen campaign is remembered. Knows no command.
"""

from __future__ import annotations

import contextlib
import getpass
import json
import os
import shlex
import unicodedata
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from tracker.errors import BadInput, Refusal
from tracker.service.whole_files import write_whole

if TYPE_CHECKING:
    from tracker.service.application import Tracker

ACTOR_CHARACTERS_MAX = 80
_DEFAULT_FILE = "campaigns.db"
SERVICE = "service.json"
"""The file in the data folder that names the service somebody signed in to."""


Row = dict[str, Any]


class NoCampaignChosen(BadInput):
    """Several campaigns, or none, and nobody said which."""

    known: tuple[str, ...]

    def message(self) -> str:
        if not self.known:
            return (
                "There is no campaign yet. Begin one in a browser with 'arbitrator serve', or here:"
                " arbitrator campaign new NAME --ruleset necromunda_2023"
            )
        return (
            f"Which campaign? Name one with --campaign, or choose it with 'arbitrator campaign use NAME'."
            f" Known: {', '.join(self.known)}."
        )


class DataFolderUnusable(BadInput):
    """The folder {folder}, for the default database and the chosen campaign, cannot be written: {why}. Set
    XDG_DATA_HOME to another, or name the database with --db and the campaign with --campaign.
    """

    folder: str
    why: str


class ActorUnreadable(BadInput):
    """A name that would not be readable in the log."""

    def message(self) -> str:
        return f"--as (or TRACKER_ACTOR) takes a name of 1 to {ACTOR_CHARACTERS_MAX} visible characters."


class RemoteService(NamedTuple):
    """A service elsewhere, and the token that signs in to it."""

    url: str
    token: str


class CompletedWork(NamedTuple):
    """Work that a command has done for good, and the words that say how to see it."""

    what: str
    see: str = ""


def data_folder() -> Path:
    """Where the default database and the chosen campaign are kept."""
    import platformdirs  # not above: help stays quick

    return platformdirs.user_data_path("campaign-tracker")


def after_battles_setting(campaign: str) -> Path:
    """The file that says that a campaign's heads are signed after its battles: it is there, or not."""
    return data_folder() / "keys" / f"{campaign}.after-battles"


class Session:
    """Options of the root command, turned into a tracker and a campaign when asked for."""

    def __init__(self, *, db: str | None, campaign: str | None, actor: str | None) -> None:
        self._db = db
        self._named = campaign
        self._actor = actor
        self._tracker: Tracker | None = None
        self._slug: str | None = None
        self._done: list[CompletedWork] = []
        self.paging = True
        """Whether a page that the terminal's screen cannot hold goes through the pager."""

    def override(self, *, db: str | None, campaign: str | None, actor: str | None) -> None:
        """Let options typed behind the verb replace those before the noun."""
        self._db = self._db if db is None else db
        self._named = self._named if campaign is None else campaign
        self._actor = self._actor if actor is None else actor

    @property
    def url(self) -> str:
        """The database's URL; a bare path is an SQLite file."""
        if self._db is None:
            return f"sqlite:///{data_folder() / _DEFAULT_FILE}"
        return self.address(self._db)

    def address(self, word: str) -> str:
        """A database's URL as somebody types it; a bare path is an SQLite file."""
        if "://" in word:
            return word
        # These three have a meaning in a URL and none in a file name.
        path = str(Path(word).absolute())
        return "sqlite:///" + path.replace("%", "%25").replace("?", "%3F").replace("#", "%23")

    @property
    def actor(self) -> str:
        """Who is typing. Raises ActorUnreadable."""
        if not self._actor:
            return login_name()
        name = unicodedata.normalize("NFC", self._actor.strip())
        if not name.isprintable() or not 1 <= len(name) <= ACTOR_CHARACTERS_MAX:
            raise ActorUnreadable
        return name

    @property
    def person(self) -> str | None:
        """The id of the signed-in person; None at the machine, where a name is typed."""
        from tracker.people.secrets import is_person_id  # not above: help stays quick

        return self.actor if is_person_id(self.actor) else None

    @property
    def tracker(self) -> Tracker:
        """The service, opened on first use; a missing default file and its folder are made."""
        return self._opened(make=self.makes_folder)

    @property
    def has_read(self) -> bool:
        """Whether a database was opened."""
        return self._tracker is not None

    def beginning(self) -> Tracker:
        """The service for beginning a campaign: makes the database file, even a named one."""
        return self._opened(make=True)

    def _opened(self, *, make: bool) -> Tracker:
        if self._tracker is None:
            from tracker.service.application import Tracker  # not above: help stays quick

            self.make_folder()
            self._tracker = Tracker(self.url, actor=self.actor, make=make, plainly=True)
        return self._tracker

    def name_on(self, actor: str, at: str) -> str:
        """The name that the maker of an entry had at that time."""
        return actor if self._tracker is None else self._tracker.name_on(actor, at)

    @property
    def slug(self) -> str:
        """The campaign's short name, or its id without one. Raises NoCampaignChosen, DirectoryDamaged."""
        if self._slug is None:
            self._slug = self._named if self._named is not None else self._chosen()
        return self._slug

    @slug.setter
    def slug(self, slug: str) -> None:
        self._slug = slug

    def _chosen(self) -> str:
        known = self.tracker.directory.campaigns()
        chosen = chosen_campaign(self.url)
        if chosen in known or chosen in known.values():
            return chosen
        if len(known) == 1:
            return next(iter(known))
        self.tracker.directory.rows()
        raise NoCampaignChosen(known=tuple(known))

    @property
    def campaign(self) -> str:
        """The campaign's id. Raises UnknownCampaign, NoCampaignChosen or DirectoryDamaged."""
        return self.tracker.directory.campaign_id(self.slug)

    def in_words_of_its_game(self, refusal: Refusal) -> None:
        """Let a refusal speak of gangs and money as the campaign's book does, where one is chosen."""
        from tracker.reports.cards import words_of  # not above: help stays quick

        with contextlib.suppress(Refusal):
            if book := self.tracker.directory.book_of(self.campaign):
                refusal.in_words_of(words_of(book))

    @property
    def makes_folder(self) -> bool:
        """Whether the program makes the database's folder: only that of the default database."""
        return self._db is None

    @property
    def service(self) -> RemoteService | None:
        """The service elsewhere; None if a database was named or nobody signed in."""
        if self._db is not None:
            return None
        url, token = os.environ.get("TRACKER_SERVICE"), os.environ.get("TRACKER_TOKEN")
        if url and token:
            return RemoteService(url.rstrip("/"), token)
        try:
            held = json.loads((data_folder() / SERVICE).read_text(encoding="utf-8"))
            return RemoteService(str(held["url"]), str(held["token"]))
        except (OSError, ValueError, KeyError, TypeError):
            return None

    @property
    def campaign_named(self) -> str | None:
        """The campaign that was named for this command."""
        return self._named

    @property
    def there(self) -> bool:
        """Whether there may be a database: looking up a rule makes no file."""
        return not self.makes_folder or (data_folder() / _DEFAULT_FILE).exists()

    def make_folder(self) -> None:
        """Make the folder of the default database."""
        if self.makes_folder:
            self._make_data_folder()

    def campaigns(self) -> list[Row]:
        """The campaigns that the caller may see. Raises DirectoryDamaged."""
        return self.tracker.directory.rows()

    def choose(self, slug: str, *, at: str | None = None) -> None:
        """Remember a campaign for the next commands on this database, or at a service's address.

        Raises DataFolderUnusable.
        """
        folder = self._make_data_folder()
        url = at or self.url
        lines = [*_chosen_elsewhere(url), f"{slug} {_url_shown(url)}"]
        try:
            write_whole(folder / _CHOSEN, "".join(f"{line}\n" for line in lines).encode())
        except OSError as error:
            raise DataFolderUnusable(folder=str(folder), why=error.strerror or "no reason given") from error

    def _make_data_folder(self) -> Path:
        folder = data_folder()
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise DataFolderUnusable(folder=str(folder), why=error.strerror or "no reason given") from error
        return folder

    def note(self, done: str) -> None:
        """Remember finished work, in case it cannot be shown."""
        self._done.append(CompletedWork(what=done))

    @property
    def done(self) -> list[CompletedWork]:
        """The finished work of this command: saved entries and notes."""
        saved = self._tracker.saved if self._tracker is not None else ()
        return [*(self._recorded(receipt.first_entry, receipt.last_entry) for receipt in saved), *self._done]

    def typed(self, *words: str) -> str:
        """The line to type for a command about the same campaign in the same database."""
        again = ["arbitrator"]
        if self._db is not None and "://" not in self._db:  # an address may hold a password
            again += ["--db", self._db]
        if self._slug is not None:
            again += ["--campaign", self._slug]
        return shlex.join([*again, *words])

    def _recorded(self, first: int, last: int) -> CompletedWork:
        if first == last:
            see = self.typed("log", "entry", str(first))
            return CompletedWork(what=f"Recorded as entry {first}", see=f" See it with: {see}")
        see = self.typed("log", "show", "--since", str(first))
        return CompletedWork(what=f"Recorded as entries {first} to {last}", see=f" See them with: {see}")

    def close(self) -> None:
        """Close the database."""
        if self._tracker is not None:
            self._tracker.close()


_CHOSEN = "chosen-campaign"
"""A line for each database: the campaign's short name and the database's URL."""


def chosen_campaign(url: str) -> str:
    """The campaign of this database chosen with 'campaign use', or nothing.

    A name without a URL, as earlier versions wrote it, holds wherever no other was chosen.
    """
    chosen = ""
    for line in _chosen_lines():
        slug, _, where = line.partition(" ")
        if where == _url_shown(url):
            return slug
        chosen = chosen or ("" if where else slug)
    return chosen


def _chosen_elsewhere(url: str) -> list[str]:
    return [line for line in _chosen_lines() if line.partition(" ")[2] != _url_shown(url)]


def _chosen_lines() -> list[str]:
    try:
        return (data_folder() / _CHOSEN).read_text(encoding="utf-8").split("\n")[:-1]
    except (OSError, UnicodeDecodeError):
        return []


def _url_shown(url: str) -> str:
    """The URL on one line, without the parts that may hold a password."""
    if url.startswith("sqlite:"):
        return url.replace("\n", "%0A")
    scheme, _, rest = url.partition("?")[0].partition("://")
    user, at, place = rest.rpartition("@")
    return f"{scheme}://{user.partition(':')[0]}{at}{place}"


def login_name() -> str:
    """Who is typing, as the system knows it."""
    try:
        name = getpass.getuser()
        return name if name.isprintable() and 1 <= len(name) <= ACTOR_CHARACTERS_MAX else "arbitrator"
    except (OSError, KeyError, ImportError):
        return "arbitrator"
