"""Submitted forms. Knows fields and no command."""

from __future__ import annotations

import hashlib
import re
from collections.abc import AsyncGenerator
from typing import Final, NamedTuple
from urllib.parse import parse_qsl

from starlette.datastructures import Headers
from starlette.formparsers import MultiPartException, MultiPartParser

from tracker.errors import BadInput
from tracker.service.as_of import is_count
from tracker.service.repository import RemoteRequest

FIELDS_MAX: Final = 6_000
FILES_MAX: Final = 40
BYTES_MAX: Final = 1024 * 1024
HEAD: Final = "head"
"""The hidden field with the state of the campaign that the form was made for."""
KEY: Final = "key"
"""The hidden field with the idempotency key: a form sent twice is recorded once."""
_TAG: Final = re.compile(r"([0-9]{1,15})-([0-9a-f]{16})")
_KEY: Final = re.compile(r"[\x21-\x7e]{1,100}")
_PAGES_OWN: Final = re.compile(r"[0-9a-f]{32}")
"""The random key that a page makes itself."""


class FormUnreadable(BadInput):
    """That form cannot be read: {why}. Go back, load the page again and send it once more."""

    why: str


class NumberNotUsable(BadInput):
    """{what}: write a whole number from {least} to {most}, in digits."""

    what: str
    least: int
    most: int


class FileSent(NamedTuple):
    """A file that was chosen in a form."""

    name: str
    """The name that the browser gives."""
    content: bytes


class Redirect(NamedTuple):
    """The address that the browser goes to afterwards."""

    path: str


class FormValues:
    """The fields by name, each with all its values in order."""

    def __init__(self, fields: dict[str, list[str]], files: dict[str, FileSent] | None = None) -> None:
        self.fields = fields
        self.files = files or {}
        """The first file of each field."""
        self.all_files: dict[str, list[FileSent]] = {name: [sent] for name, sent in self.files.items()}

    @classmethod
    def read(cls, body: bytes) -> FormValues:
        """Raises FormUnreadable."""
        try:
            pairs = parse_qsl(
                body.decode("ascii"),
                keep_blank_values=True,
                encoding="utf-8",
                errors="strict",
                max_num_fields=FIELDS_MAX,
            )
        except (UnicodeDecodeError, ValueError) as wrong:
            raise FormUnreadable(why=f"it is not text, or has more than {FIELDS_MAX} fields") from wrong
        fields: dict[str, list[str]] = {}
        for name, value in pairs:
            fields.setdefault(name, []).append(value)
        return cls(fields)

    @classmethod
    async def read_with_files(cls, headers: Headers, body: bytes, bytes_max: int) -> FormValues:
        """The same for multipart/form-data. Raises FormUnreadable."""

        async def whole() -> AsyncGenerator[bytes, None]:
            yield body

        parser = MultiPartParser(
            headers, whole(), max_files=FILES_MAX, max_fields=FIELDS_MAX, max_part_size=bytes_max
        )
        fields: dict[str, list[str]] = {}
        every: dict[str, list[FileSent]] = {}
        try:
            form = await parser.parse()
        except (MultiPartException, UnicodeDecodeError, KeyError) as wrong:
            raise FormUnreadable(why="it is cut off, or has too many fields or files") from wrong
        for name, value in form.multi_items():
            if isinstance(value, str):
                fields.setdefault(name, []).append(value)
            else:
                every.setdefault(name, []).append(FileSent(value.filename or "", await value.read()))
        await form.close()
        read = cls(fields, {name: sent[0] for name, sent in every.items()})
        read.all_files = every
        return read

    def get(self, name: str, otherwise: str = "") -> str:
        """The field's first value, without spaces around it."""
        return self.fields.get(name, [otherwise])[0].strip()

    def all(self, name: str) -> list[str]:
        """All values of a field."""
        return self.fields.get(name, [])

    def __contains__(self, name: str) -> bool:
        """Whether the field was sent; an unticked box is not."""
        return name in self.fields

    @property
    def page(self) -> str:
        """The secret of the page, the same for everything that it sends; or empty."""
        return key if _PAGES_OWN.fullmatch(key := self.get(KEY)) else ""

    def sending(self, actor: str) -> RemoteRequest:
        """The state that the form was made for, and its idempotency key. Raises FormUnreadable."""
        whole = hashlib.sha256(repr(sorted(self.fields.items())).encode()).hexdigest()
        key = self.get(KEY)
        if key and _KEY.fullmatch(key) is None:
            raise FormUnreadable(why=f"its field {KEY!r} is not what the page put there")
        once = f"{self.page} {whole}" if self.page else ""
        sending = RemoteRequest(key=f"form:{actor}:{key}" if key else None, digest=whole, once=once)
        if not (head := self.get(HEAD)):
            return sending
        if (seen := _TAG.fullmatch(head)) is None:
            raise FormUnreadable(why=f"its field {HEAD!r} is not what the page put there")
        return sending._replace(expected_size=int(seen[1]), expected_leaf=seen[2])


def whole_number(filled: FormValues, name: str, what: str, *, least: int, most: int) -> int | None:
    """A typed number; None for an empty field. Raises NumberNotUsable."""
    typed = filled.get(name)
    if not typed:
        return None
    if not (is_count(typed) and least <= int(typed) <= most):
        raise NumberNotUsable(what=what, least=least, most=most)
    return int(typed)
