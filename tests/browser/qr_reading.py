"""Reads a QR code off its modules, as a camera's program does once it has found them. Version 5-M alone: links of
63 to 84 bytes. It corrects no error, since nothing on a page is smudged.
"""

from collections.abc import Iterator

SIZE = 37
"""Modules on a side."""
QUIET = 4
ALIGNMENT = 30
"""Where the one alignment pattern of this version has its middle."""
LEVEL_M = 0b00
BLOCKS = 2
CODEWORDS = 86
"""Of data; those that correct errors follow."""
FORMAT_MASK = 0b101010000010010
MASKS = (
    lambda row, column: (row + column) % 2 == 0,
    lambda row, _: row % 2 == 0,
    lambda _, column: column % 3 == 0,
    lambda row, column: (row + column) % 3 == 0,
    lambda row, column: (row // 2 + column // 3) % 2 == 0,
    lambda row, column: (row * column) % 2 + (row * column) % 3 == 0,
    lambda row, column: ((row * column) % 2 + (row * column) % 3) % 2 == 0,
    lambda row, column: ((row + column) % 2 + (row * column) % 3) % 2 == 0,
)

Modules = list[list[bool]]


def text_of(modules: Modules) -> str:
    """What the code says."""
    assert [len(row) for row in modules] == [SIZE] * SIZE, "a code of version 5"
    told = sum(modules[8][column] << 14 - number for number, column in enumerate((0, 1, 2, 3, 4, 5, 7, 8)))
    told += sum(modules[row][8] << 6 - number for number, row in enumerate((7, 5, 4, 3, 2, 1, 0)))
    told ^= FORMAT_MASK
    assert told >> 13 == LEVEL_M
    mask = MASKS[told >> 10 & 0b111]
    bits = [modules[row][column] ^ mask(row, column) for row, column in _data_places()]
    words = [
        sum(bit << 7 - place for place, bit in enumerate(bits[at : at + 8]))
        for at in range(0, 8 * CODEWORDS, 8)
    ]
    data = [word for block in range(BLOCKS) for word in words[block::BLOCKS]]
    stream = "".join(f"{word:08b}" for word in data)
    assert stream[:4] == "0100", "bytes"
    length = int(stream[4:12], 2)
    return bytes(int(stream[12 + 8 * at : 20 + 8 * at], 2) for at in range(length)).decode("ascii")


def _data_places() -> Iterator[tuple[int, int]]:
    """Up and down in pairs of columns from the right, past what every code has."""
    columns = [column for column in range(SIZE - 1, 0, -2) if column > 6]
    columns += [5, 3, 1]
    for number, right in enumerate(columns):
        rows = range(SIZE) if number % 2 else range(SIZE - 1, -1, -1)
        for row in rows:
            yield from ((row, column) for column in (right, right - 1) if not _is_fixed(row, column))


def _is_fixed(row: int, column: int) -> bool:
    near, far = 9, SIZE - 8
    is_finder = (row < near and (column < near or column >= far)) or (row >= far and column < near)
    is_aligned = abs(row - ALIGNMENT) <= 2 and abs(column - ALIGNMENT) <= 2
    return is_finder or is_aligned or row == 6 or column == 6
