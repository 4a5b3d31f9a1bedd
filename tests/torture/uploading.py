"""Pictures for emblems, hammered: each is made anew or refused, in time and in bounded memory."""

from __future__ import annotations

import io
import random
import resource
import time
import zlib

import hostile_pictures
from PIL import Image

from tracker.service.gang_emblems import BYTES_MAX, PictureNotUsable, made_anew

from .runner import Run

ANSWER_SECONDS = 3
"""Of the processor; the largest picture that is taken needs one, while others use the machine too."""
MEGABYTES_MAX = 512
"""What a picture of 25 million pixels and everything after it may add to the memory of this process."""
KINDS = ("PNG", "JPEG", "WEBP", "GIF")
SIDES = (1, 2, 63, 300, 4_999, 5_000, 12_000, 12_001, 65_535)


def pictures(run: Run) -> None:
    """One picture a round."""
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    for dice in run.each_round():
        kind, content = dice.choice([_in_parts, _damaged, _said_to_be_large, _two_things_at_once])(dice)
        begun = time.process_time()
        try:
            made = made_anew(content)
        except PictureNotUsable:
            run.count(f"{kind}: refused")
        else:
            assert len(made.large) < 40_000, (kind, len(made.large))
            assert made.large[:4] == made.small[:4] == b"RIFF"
            assert b"<script" not in made.large
            run.count(f"{kind}: made")
        taken = time.process_time() - begun
        assert taken < ANSWER_SECONDS, f"{taken:.1f} s for {kind}, {len(content):,} bytes"
    more = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024
    assert more < MEGABYTES_MAX, f"pictures took {more:.0f} MB"


def _in_parts(dice: random.Random) -> tuple[str, bytes]:
    what = dice.choice(sorted(hostile_pictures.IN_PARTS))
    count = dice.choice([1, 100, 101, 9_999, 10_001, 150_000, 600_000])
    content = hostile_pictures.IN_PARTS[what](count)
    return what, content[: BYTES_MAX - 1] if dice.random() < 0.5 else content


def _of_noise(dice: random.Random) -> bytes:
    made = io.BytesIO()
    side = dice.choice([1, 7, 64, 200])
    mode = dice.choice(["RGB", "RGBA", "L", "P", "1"])
    image = Image.effect_noise((side, dice.choice([1, side])), dice.randint(1, 200)).convert(mode)
    kind = dice.choice(KINDS)
    if kind == "JPEG":
        image = image.convert("RGB")
    moving = (
        {"save_all": True, "append_images": [image] * 3} if kind != "JPEG" and dice.random() < 0.3 else {}
    )
    image.save(made, kind, **moving)
    return made.getvalue()


def _damaged(dice: random.Random) -> tuple[str, bytes]:
    content = bytearray(_of_noise(dice))
    for _ in range(dice.randint(1, 12)):
        at = dice.randrange(len(content))
        match dice.randrange(4):
            case 0:
                content[at] = dice.randrange(256)
            case 1:
                del content[at : at + dice.randrange(40)]
            case 2:
                content[at:at] = content[at : at + dice.randrange(200)] * dice.randint(1, 50)
            case _:
                content[at : at + 4] = dice.choice(
                    [b"\xff\xff\xff\xff", b"\0\0\0\0", b"\x7f\xff\xff\xff", b"\xff\xda\xff\xc2"]
                )
        content = content or bytearray(b"\0")
    return "damaged", bytes(content)


def _said_to_be_large(dice: random.Random) -> tuple[str, bytes]:
    wide, high = dice.choice(SIDES), dice.choice(SIDES)
    pixels = b"\0" * min(high * (wide * 3 + 1), dice.choice([4, 10_000, 80_000_000]))
    return "large", hostile_pictures.png(wide, high, content=pixels)


def _two_things_at_once(dice: random.Random) -> tuple[str, bytes]:
    """A picture that a browser might take for a page, or a program for an archive."""
    other = dice.choice(
        [
            b"<script>alert(1)</script>",
            b"PK\x03\x04",
            b"%PDF-1.7",
            b"<svg onload=alert(1)>",
            zlib.compress(b"x"),
        ]
    )
    content = _of_noise(dice)
    return "two things", dice.choice([other + content, content + other, content[:6] + other + content[6:]])
