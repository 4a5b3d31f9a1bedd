"""Gang emblems: uploaded pictures, stored beside the log.

An upload is untrusted until it is re-encoded: the content decides its type, its size is checked before
decoding, and only the pixels of one frame are kept, in two small squares. Knows no page.
"""

from __future__ import annotations

import hashlib
import io
import re
import struct
import zlib
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Final, NamedTuple

from sqlalchemy import Engine, delete, insert, select

from tracker.campaign import records
from tracker.campaign.records.kinds import GangId
from tracker.errors import BadInput
from tracker.log import database
from tracker.schema import campaign_emblems
from tracker.service.repository import CampaignRepository

if TYPE_CHECKING:
    from PIL import Image

BYTES_MAX: Final = 8 * 1024 * 1024
PIXELS_MAX: Final = 25_000_000
_SIDE_MAX: Final = 12_000
PARTS_MAX: Final = 10_000
SCANS_MAX: Final = 100
"""The most scans of a JPEG; a progressive one has some ten."""
_PNG: Final = b"\x89PNG\r\n\x1a\n"
_JPEG: Final = b"\xff\xd8"
_MARK: Final = re.compile(rb"\xff+([^\x00\x01\xd0-\xd7\xff])")
"""The marker of a JPEG segment; the data of a scan has none."""
_FILL_MAX: Final = 1_000
_END: Final = b"\xd9"
_SCAN: Final = 0xDA
_KINDS: Final = ("PNG", "JPEG", "WEBP", "GIF")
LARGE, SMALL = 192, 64
"""The sides in pixels: for the head of a page, and for lists."""
_LARGE_BYTES_MAX: Final = 12_000
_SMALL_BYTES_MAX: Final = 2_500
"""The most bytes of each, so that a page of many gangs stays small."""
_QUALITIES: Final = (85, 70, 50, 30, 10, 1)


class Picture(NamedTuple):
    """An emblem as WebP."""

    digest: str
    """The digest of the uploaded file."""
    large: bytes
    small: bytes


class PictureNotUsable(BadInput):
    """That picture cannot be used: {why}. Choose a PNG, JPEG, WebP or GIF of at most 8 MiB and 25 million
    pixels.
    """

    why: str


class PicturesNotInstalled(BadInput):
    """Pictures need a library that is not installed: pip install 'campaign-tracker[server]'."""


class ChangeEmblem(records.Command):
    """The permission that is checked; no log holds this command."""

    gang: GangId


class GangEmblems:
    """The pictures of one host, in the database of its people, wherever a campaign's log is kept."""

    def __init__(self, repository: CampaignRepository, engine: Engine) -> None:
        self._repository, self._engine = repository, engine

    def of(self, campaign: str) -> Mapping[str, str]:
        """The digest of each gang's picture, for gangs that have one."""
        table = campaign_emblems
        query = select(table.c.gang, table.c.digest).where(table.c.campaign_id == campaign)
        with database.reading(self._engine) as connection:
            return {row.gang: row.digest for row in connection.execute(query)}

    def picture(self, campaign: str, gang: str) -> Picture | None:
        """A gang's picture, or None."""
        table = campaign_emblems
        query = select(table.c.digest, table.c.large, table.c.small)
        query = query.where(table.c.campaign_id == campaign, table.c.gang == gang)
        with database.reading(self._engine) as connection:
            row = connection.execute(query).one_or_none()
        return None if row is None else Picture(*row)

    def upload(self, campaign: str, gang: str, content: bytes) -> Picture:
        """Store a gang's picture, in place of an earlier one. Raises UnknownGang, NotAllowed,
        PictureNotUsable.
        """
        self._allowed(campaign, gang)
        made = made_anew(content)
        table = campaign_emblems
        with database.writing(self._engine) as connection:
            connection.execute(delete(table).where(table.c.campaign_id == campaign, table.c.gang == gang))
            connection.execute(insert(table), {"campaign_id": campaign, "gang": gang, **made._asdict()})
        return made

    def remove(self, campaign: str, gang: str) -> None:
        """Remove a gang's picture: its emblem is made from its id again. Raises UnknownGang, NotAllowed."""
        self._allowed(campaign, gang)
        table = campaign_emblems
        with database.writing(self._engine) as connection:
            connection.execute(delete(table).where(table.c.campaign_id == campaign, table.c.gang == gang))

    def _allowed(self, campaign: str, gang: str) -> None:
        state = self._repository.state(campaign)
        if gang not in state.gangs:
            raise records.UnknownGang(gang=gang, known=tuple(state.gangs))
        self._repository.sending.allow([ChangeEmblem(gang=gang)], state)


def made_anew(content: bytes) -> Picture:
    """Both sizes of a picture, re-encoded without any other data of its file.

    Raises PictureNotUsable, PicturesNotInstalled.
    """
    if len(content) > BYTES_MAX:
        raise PictureNotUsable(why=f"it is longer than {BYTES_MAX:,} bytes")
    try:
        from PIL import Image  # not above: an extra, and slow
    except ImportError as missing:
        raise PicturesNotInstalled from missing
    _refuse_many_parts(content)
    try:
        square = _square(content)
    except (Image.DecompressionBombError, Image.DecompressionBombWarning) as bomb:
        raise PictureNotUsable(why="it has too many pixels") from bomb
    except _BROKEN as broken:
        raise PictureNotUsable(why="it is none, or it is damaged") from broken
    return Picture(
        digest=hashlib.sha256(content).hexdigest()[:16],
        large=_written(square, LARGE, _LARGE_BYTES_MAX),
        small=_written(square, SMALL, _SMALL_BYTES_MAX),
    )


def _square(content: bytes) -> Image.Image:
    """The middle of the first frame, upright. Raises PictureNotUsable, and what decoders raise."""
    from PIL import Image, ImageOps

    with Image.open(io.BytesIO(content), formats=_KINDS) as opened:
        wide, high = opened.size
        if wide * high > PIXELS_MAX or max(wide, high) > _SIDE_MAX:
            raise PictureNotUsable(why=f"it is {wide:,} by {high:,} pixels large")
        opened.draft("RGB", (2 * LARGE, 2 * LARGE))  # a JPEG is decoded smaller
        ImageOps.exif_transpose(opened, in_place=True)
        # Keep the mode if it can be scaled: a picture may take a hundred megabytes, so avoid a copy.
        upright = opened if opened.mode in ("RGB", "RGBA") else opened.convert("RGBA")
        return ImageOps.fit(upright, (LARGE, LARGE)).convert("RGBA")


def _refuse_many_parts(content: bytes) -> None:
    """Raises PictureNotUsable for too many parts: they are small to send and slow to decode. A scan of a JPEG
    takes thirty bytes and covers all pixels.
    """
    scans = 0
    for count, part in enumerate(_parts(content), start=1):
        scans += part == _SCAN
        if count > PARTS_MAX or scans > SCANS_MAX:
            raise PictureNotUsable(why="it is made of more parts than any picture")


def _parts(content: bytes) -> Iterator[int]:
    """The parts of a PNG or a JPEG, as their decoders find them: markers of a JPEG, 0 for a PNG. Raises
    PictureNotUsable.
    """
    at = len(_PNG)
    if content.startswith(_PNG):
        while at + 8 <= len(content):
            at += 12 + int.from_bytes(content[at : at + 4])
            yield 0
    at = 2
    if content.startswith(_JPEG):
        while (found := _MARK.search(content, at)) is not None and found[1] != _END:
            at = found.end() + max(2, int.from_bytes(content[found.end() : found.end() + 2]))
            if len(found[0]) > _FILL_MAX:
                raise PictureNotUsable(why="it is padded as no picture is")
            yield found[1][0]


_BROKEN: Final = (
    OSError, SyntaxError, ValueError, LookupError, TypeError, ArithmeticError, EOFError, MemoryError,
    AttributeError, struct.error, zlib.error,
)  # fmt: skip
"""The exceptions of decoders for deliberately broken files."""


def _written(square: Image.Image, side: int, bytes_max: int) -> bytes:
    """The WebP at the best quality that fits. Written from the pixels only, without other data of the
    file.
    """
    from PIL import Image

    scaled = square.resize((side, side))
    plain = Image.frombytes("RGBA", scaled.size, scaled.tobytes())
    content = b""
    for quality in _QUALITIES:
        made = io.BytesIO()
        plain.save(made, "WEBP", quality=quality, alpha_quality=quality, method=4)
        content = made.getvalue()
        if len(content) <= bytes_max:
            break
    return content
