"""Rate limits per person, or per address without a sign-in.

Each worker process counts for itself.
"""

from __future__ import annotations

import ipaddress
import math
import time
from collections.abc import Mapping
from typing import Final, Literal, Protocol, TypeAlias

from limits import RateLimitItemPerMinute
from limits.storage import MemoryStorage
from limits.strategies import FixedWindowRateLimiter

Kind: TypeAlias = Literal["sign-in", "writes", "reads"]

PER_MINUTE: Final[Mapping[Kind, int]] = {"sign-in": 60, "writes": 300, "reads": 1200}
"""Rates of people, or of addresses without a sign-in. `sign-in` is always of an address: links opened, keys
tried, invalid tokens and sessions.
"""
_IPV6_OF_ONE: Final = 64
"""The prefix length of IPv6 networks: providers give each customer one."""


class TooOften(Exception):
    """More requests than this minute allows."""

    def __init__(self, kind: Kind, most: int, seconds: int) -> None:
        super().__init__(f"More than {most} {kind} a minute. Try again in {seconds} s.")
        self.seconds = seconds


class RateLimits(Protocol):
    """Counts requests."""

    def count(self, kind: Kind, whose: str) -> None:
        """Count one more. Raises TooOften."""
        ...


class NoLimits:
    """Allows any number."""

    def count(self, kind: Kind, whose: str) -> None:
        """Nothing."""


class PerMinute:
    """Allows a number per minute, counted from the first request on."""

    def __init__(self, most: Mapping[Kind, int] = PER_MINUTE) -> None:
        self._items = {kind: RateLimitItemPerMinute(number) for kind, number in most.items()}
        self._counted = FixedWindowRateLimiter(MemoryStorage())

    def count(self, kind: Kind, whose: str) -> None:
        """Count one more. Raises TooOften."""
        item = self._items[kind]
        if self._counted.hit(item, kind, whose):
            return
        over = self._counted.get_window_stats(item, kind, whose).reset_time
        raise TooOften(kind, item.amount, max(1, math.ceil(over - time.time())))


def whose(address: str) -> str:
    """The key that an address is counted under: for IPv6, the network of one customer."""
    try:
        parsed = ipaddress.ip_address(address)
    except ValueError:
        return address
    if parsed.version == 4 or parsed.ipv4_mapped is not None:
        return str(parsed if parsed.version == 4 else parsed.ipv4_mapped)
    return str(ipaddress.ip_network((parsed, _IPV6_OF_ONE), strict=False))
