"""Pictures that are small to send and would take long to look at."""

import io
import struct
import zlib
from collections.abc import Callable, Mapping

from PIL import Image

PNG = b"\x89PNG\r\n\x1a\n"
MEGABYTE = 1024 * 1024


def chunk(kind: bytes, body: bytes) -> bytes:
    """A part of a PNG."""
    return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))


def png(wide: int, high: int, *, more: bytes = b"", content: bytes = b"\0\1\2\3") -> bytes:
    """Of colours with one byte each, with more parts before the pixels."""
    head = chunk(b"IHDR", struct.pack(">IIBBBBB", wide, high, 8, 2, 0, 0, 0))
    return PNG + head + more + chunk(b"IDAT", zlib.compress(content)) + chunk(b"IEND", b"")


def jpeg_of_scans(side: int, scans: int) -> bytes:
    """A progressive JPEG: each of its scans says in some thirty bytes that nothing changes in all of its blocks."""
    quantities = b"\xff\xdb" + struct.pack(">HB", 67, 0) + b"\1" * 64
    frame = b"\xff\xc2" + struct.pack(">HBHHB", 11, 8, side, side, 1) + b"\1\x11\0"
    codes = b"".join(
        b"\xff\xc4" + struct.pack(">HB", 20, kind) + bytes([1] + [0] * 15) + symbol
        for kind, symbol in ((0x00, b"\0"), (0x10, b"\xe0"))
    )
    blocks = ((side + 7) // 8) ** 2
    bits, left = "", blocks
    while left > 0:
        run = max(16_384, min(left, 32_767))
        bits += "0" + format(run - 16_384, "014b")
        left -= run
    bits += "1" * (-len(bits) % 8)
    nothing = bytes(int(bits[at : at + 8], 2) for at in range(0, len(bits), 8)).replace(b"\xff", b"\xff\0")
    head = b"\xff\xda" + struct.pack(">HB", 8, 1) + b"\1\0"
    first = head + b"\0\0\0" + b"\0" * ((blocks + 7) // 8)
    return (
        b"\xff\xd8"
        + quantities
        + frame
        + codes
        + first
        + (head + b"\1\x3f\0" + nothing) * scans
        + b"\xff\xd9"
    )


def jpeg(more: bytes) -> bytes:
    """With more parts behind its beginning."""
    made = io.BytesIO()
    Image.new("L", (8, 8)).save(made, "JPEG")
    return made.getvalue()[:2] + more + made.getvalue()[2:]


def gif(more: bytes) -> bytes:
    """With more parts before its only frame."""
    head = b"GIF89a" + struct.pack("<HHBBB", 1, 1, 0x80, 0, 0) + b"\0" * 6
    return head + more + b"," + struct.pack("<HHHHB", 0, 0, 1, 1, 0) + b"\x02\x02\x44\x01\x00;"


def webp_of_frames(side: int, frames: int) -> bytes:
    """A moving WebP of so many frames, each a corner of it."""
    made = io.BytesIO()
    Image.new("RGB", (8, 8)).save(made, "WEBP")
    canvas = b"\x02\0\0\0" + struct.pack("<I", side - 1)[:3] * 2
    frame = b"\0" * 6 + b"\x07\0\0" * 2 + b"\x10\0\0\0" + made.getvalue()[12:]
    part = b"ANMF" + struct.pack("<I", len(frame)) + frame + b"\0" * (len(frame) % 2)
    body = (
        b"WEBPVP8X"
        + struct.pack("<I", 10)
        + canvas
        + b"ANIM"
        + struct.pack("<I", 6)
        + b"\0" * 6
        + part * frames
    )
    return b"RIFF" + struct.pack("<I", len(body)) + body


IN_PARTS: Mapping[str, Callable[[int], bytes]] = {
    "scans of a JPEG": lambda count: jpeg_of_scans(5_000, count),
    "segments of a JPEG": lambda count: jpeg(b"\xff\xe5\0\2" * count),
    "comments of a JPEG": lambda count: jpeg(b"\xff\xfe\0\2" * count),
    "padding of a JPEG": lambda count: jpeg(b"\xff" * count),
    "chunks of a PNG": lambda count: png(1, 1, more=chunk(b"abCd", b"") * count),
    "texts of a PNG": lambda count: png(1, 1, more=chunk(b"tEXt", b"a\0b") * count),
    "pixels of a PNG in pieces": lambda count: png(1, 1, more=chunk(b"IDAT", b"") * count),
    "comments of a GIF": lambda count: gif(b"!\xfe\x01a\0" * count),
    "extensions of a GIF": lambda count: gif(b"!\xf9\x04\0\0\0\0\0" * count),
    "junk in a GIF": lambda count: gif(b"\1" * count),
    "frames of a WebP": lambda count: webp_of_frames(5_000, count),
}
"""What a picture may have thousands of, by the number of them."""
