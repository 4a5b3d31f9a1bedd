"""The pictures of the program on a phone's home screen, from static/icon.svg's shapes: run as a script.

Phones take PNGs. A maskable one fills its square, for a phone that cuts it to its own shape.
"""

import re
from pathlib import Path

from PIL import Image, ImageDraw

STATIC = Path(__file__).parent.parent.parent / "tracker" / "server" / "pages" / "static"
PICTURES = (("app-192.png", 192, False), ("app-512.png", 512, False), ("app-maskable-512.png", 512, True))
SIDE = 32
"""Of the drawing's view box."""
FINER = 4
"""Drawn so much larger first, for smooth edges."""
COLOURS = 32
SAFE = 0.8
"""How much of a maskable picture no phone cuts off: the drawing keeps to it."""


def main() -> None:
    """Draw each of them."""
    drawn = (STATIC / "icon.svg").read_text(encoding="utf-8")
    ground = re.search(r'<rect[^>]*rx="(\d+)" fill="(#\w+)"', drawn)
    if ground is None:
        raise SystemExit("icon.svg has no ground: a rect with rx and fill.")
    pips = [tuple(map(int, pip)) for pip in re.findall(r'<circle cx="(\d+)" cy="(\d+)" r="(\d+)"', drawn)]
    for name, size, maskable in PICTURES:
        picture(size, int(ground[1]), ground[2], pips, maskable=maskable).save(STATIC / name, optimize=True)


def picture(
    size: int, radius: int, colour: str, pips: list[tuple[int, ...]], *, maskable: bool
) -> Image.Image:
    """One of them, in few colours."""
    unit = size * FINER / SIDE
    image = Image.new("RGBA", (size * FINER, size * FINER), colour if maskable else (0, 0, 0, 0))
    brush = ImageDraw.Draw(image)
    if not maskable:
        edges = (2 * unit, 2 * unit, (SIDE - 2) * unit, (SIDE - 2) * unit)
        brush.rounded_rectangle(edges, radius=radius * unit, fill=colour)
    scale = SAFE if maskable else 1
    for x, y, r in pips:
        middle = [(SIDE / 2 + (at - SIDE / 2) * scale) * unit for at in (x, y)]
        reach = r * scale * unit
        corners = (middle[0] - reach, middle[1] - reach, middle[0] + reach, middle[1] + reach)
        brush.ellipse(corners, fill="white")
    small = image.resize((size, size), Image.Resampling.LANCZOS)
    return small.quantize(COLOURS, method=Image.Quantize.FASTOCTREE)


if __name__ == "__main__":
    main()
