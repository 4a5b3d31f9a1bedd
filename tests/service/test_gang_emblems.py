"""A picture that somebody uploads: made anew, small and bare; whatever else a file is, it is refused."""

import io
import random
import struct
import time
import zlib

import pytest
from hostile_pictures import IN_PARTS
from PIL import Image, PngImagePlugin

from tracker.service import gang_emblems
from tracker.service.gang_emblems import LARGE, SMALL, PictureNotUsable, made_anew

RED, BLUE = (200, 30, 30), (20, 40, 220)


def picture(
    kind: str, size: tuple[int, int] = (300, 200), colour: tuple[int, int, int] = RED, **more: object
) -> bytes:
    made = io.BytesIO()
    Image.new("RGB", size, colour).save(made, kind, **more)
    return made.getvalue()


def opened(content: bytes) -> Image.Image:
    return Image.open(io.BytesIO(content))


def pixel(image: Image.Image, x: int, y: int) -> tuple[int, int, int, int]:
    at = 4 * (y * image.width + x)
    red, green, blue, solid = image.convert("RGBA").tobytes()[at : at + 4]
    return red, green, blue, solid


def chunk(kind: bytes, body: bytes) -> bytes:
    return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))


def png_that_says(wide: int, high: int) -> bytes:
    """A PNG whose header promises more pixels than anybody sent."""
    head = chunk(b"IHDR", struct.pack(">IIBBBBB", wide, high, 8, 2, 0, 0, 0))
    data = chunk(b"IDAT", zlib.compress(b"\0" * 10_000))
    return b"\x89PNG\r\n\x1a\n" + head + data + chunk(b"IEND", b"")


@pytest.mark.parametrize("kind", ["PNG", "JPEG", "WEBP", "GIF"])
def test_a_picture_becomes_two_small_squares_of_its_middle(kind: str) -> None:
    made = made_anew(picture(kind))
    for content, side in ((made.large, LARGE), (made.small, SMALL)):
        shown = opened(content)
        assert (shown.format, shown.size) == ("WEBP", (side, side))
        assert all(abs(a - b) < 12 for a, b in zip(pixel(shown, side // 2, side // 2)[:3], RED, strict=True))


def test_where_and_when_it_was_taken_and_every_other_word_is_gone() -> None:
    exif = Image.Exif()
    exif[0x9003], exif[0x010F] = "2026:11:24 10:00:00", "SECRET-CAMERA"
    exif.get_ifd(0x8825)[1] = "N"
    words = PngImagePlugin.PngInfo()
    words.add_text("Comment", "SECRET-WORDS")
    profile = b"SECRET-PROFILE" * 20
    for content in (
        picture("JPEG", exif=exif, comment=b"SECRET", icc_profile=profile),
        picture("WEBP", exif=exif, xmp=b"SECRET-XMP", icc_profile=profile),
        picture("PNG", exif=exif, pnginfo=words, icc_profile=profile) + b"SECRET-TAIL",
    ):
        assert b"SECRET" in content or b"iCCP" in content
        for made in made_anew(content)[1:]:
            assert b"SECRET" not in made
            assert {"exif", "xmp", "icc_profile", "comment"}.isdisjoint(opened(made).info)


def test_a_picture_taken_sideways_stands_upright() -> None:
    lying = Image.new("RGB", (200, 200), BLUE)
    lying.paste(RED, (0, 0, 100, 200))
    exif = Image.Exif()
    exif[0x0112] = 6  # turn it by a quarter, clockwise: what was left is on top
    made = io.BytesIO()
    lying.save(made, "JPEG", exif=exif)
    shown = opened(made_anew(made.getvalue()).large)
    top, bottom = pixel(shown, LARGE // 2, 10), pixel(shown, LARGE // 2, LARGE - 10)
    assert top[0] > 150 > top[2]
    assert bottom[2] > 150 > bottom[0]


@pytest.mark.parametrize("kind", ["GIF", "WEBP", "PNG"])
def test_of_a_moving_picture_the_first_frame_stays(kind: str) -> None:
    made = io.BytesIO()
    first, second = Image.new("RGB", (90, 90), RED), Image.new("RGB", (90, 90), BLUE)
    first.save(made, kind, save_all=True, append_images=[second], duration=100)
    shown = opened(made_anew(made.getvalue()).large)
    assert getattr(shown, "n_frames", 1) == 1
    assert pixel(shown, 50, 50)[0] > 150


def test_what_no_picture_may_be_is_refused_before_it_is_decoded() -> None:
    for content, why in (
        (png_that_says(60_000, 60_000), "too many pixels|large"),
        (png_that_says(9_500, 9_500), "too many pixels|large"),
        (png_that_says(13_000, 10), "13,000 by 10"),
        (b"\x89PNG" + b"x" * gang_emblems.BYTES_MAX, "longer than"),
    ):
        with pytest.raises(PictureNotUsable, match=why):
            made_anew(content)


@pytest.mark.parametrize(
    "content",
    [
        b"", b"GIF89a", b"<svg xmlns='http://www.w3.org/2000/svg' onload='alert(1)'/>",
        b"<!doctype html><script>alert(1)</script>", b"%PDF-1.7", b"PK\x03\x04", b"BM" + b"\0" * 100,
        b"II*\0" + b"\0" * 100, b"8BPS" + b"\0" * 100, b"%!PS-Adobe-3.0 EPSF-3.0\n", b"\0" * 1000,
    ],
    ids=lambda content: repr(content[:8]),
)  # fmt: skip
def test_what_is_known_by_its_content_to_be_no_such_picture_is_refused(content: bytes) -> None:
    with pytest.raises(PictureNotUsable, match="damaged"):
        made_anew(content)


def test_kinds_that_are_not_taken_are_refused_though_pillow_reads_them() -> None:
    for kind in ("BMP", "TIFF", "ICO", "PPM", "TGA", "PCX"):
        with pytest.raises(PictureNotUsable):
            made_anew(picture(kind, (64, 64)))


def test_noise_and_transparency_stay_small() -> None:
    noise = Image.frombytes("RGBA", (500, 500), random.Random(1).randbytes(500 * 500 * 4))
    made = io.BytesIO()
    noise.save(made, "PNG")
    small = made_anew(made.getvalue())
    assert len(small.large) <= gang_emblems._LARGE_BYTES_MAX
    assert len(small.small) <= gang_emblems._SMALL_BYTES_MAX
    glass = io.BytesIO()
    Image.new("RGBA", (100, 100), (0, 0, 0, 0)).save(glass, "PNG")
    assert pixel(opened(made_anew(glass.getvalue()).large), 5, 5)[3] == 0


@pytest.mark.parametrize("kind", ["PNG", "JPEG", "WEBP", "GIF"])
def test_a_damaged_picture_is_made_or_refused_and_is_never_a_fault(kind: str) -> None:
    whole, chance = picture(kind, (60, 40)), random.Random(7)
    for _ in range(150):
        broken = bytearray(whole)
        for _ in range(chance.randint(1, 6)):
            broken[chance.randrange(len(broken))] = chance.randrange(256)
        content = bytes(broken[: chance.randint(8, len(broken))])
        try:
            made = made_anew(content)
        except PictureNotUsable:
            continue
        assert opened(made.small).size == (SMALL, SMALL)


@pytest.mark.parametrize("what", [what for what in IN_PARTS if "GIF" not in what and "WebP" not in what])
def test_a_picture_in_thousands_of_parts_is_refused_before_a_decoder_goes_over_each(what: str) -> None:
    """Eight megabytes of scans would take six minutes of the one thread that writes."""
    content = IN_PARTS[what](150_000)
    assert len(content) < gang_emblems.BYTES_MAX
    begun = time.process_time()
    with pytest.raises(PictureNotUsable, match=r"parts|padded"):
        made_anew(content)
    assert time.process_time() - begun < 0.5


def test_a_progressive_picture_is_taken() -> None:
    made = io.BytesIO()
    Image.effect_noise((400, 300), 90).convert("RGB").save(made, "JPEG", progressive=True)
    assert made.getvalue().count(b"\xff\xda") > 5
    assert opened(made_anew(made.getvalue()).large).size == (LARGE, LARGE)


def test_marks_behind_the_end_of_a_picture_and_within_its_words_are_no_parts() -> None:
    """A phone puts a film behind a picture, and an editor its own marks into a comment."""
    made = io.BytesIO()
    Image.new("RGB", (90, 90), RED).save(made, "JPEG", comment=b"\xff\xda" * 2_000)
    assert pixel(opened(made_anew(made.getvalue() + b"\xff\xda" * 2_000).large), 50, 50)[0] > 150
