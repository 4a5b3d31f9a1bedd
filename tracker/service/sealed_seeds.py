"""Sealed seeds: the secrets of dice sessions, in files that only their owner can read, until they are
revealed.

They are not in the database, so a copy of it does not let anybody predict a roll.
"""

from __future__ import annotations

import os
import secrets
from pathlib import Path

from tracker.rules import provable_dice
from tracker.service import refusals


class SealedSeeds:
    """Seeds by campaign and commitment, in a folder."""

    def __init__(self, folder: Path | None = None) -> None:
        self._folder = folder

    def make(self, campaign: str, session: int) -> str:
        """Make and store a seed; returns its commitment."""
        seed = secrets.token_bytes(provable_dice.SEED_BYTES)
        commitment = provable_dice.seed_commitment(campaign, session, seed)
        file = self._file(campaign, commitment)
        file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        # Stored before it is committed to: a lost seed would leave the session without an end.
        with os.fdopen(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as written:
            written.write(seed.hex() + "\n")
            written.flush()
            os.fsync(written.fileno())
        return commitment

    def read(self, campaign: str, session: int, commitment: str) -> bytes:
        """The seed of a commitment. Raises SeedMissing, also if the file holds another seed."""
        file = self._file(campaign, commitment)
        try:
            seed = bytes.fromhex(file.read_text(encoding="ascii"))
        except (OSError, ValueError) as unreadable:
            raise refusals.SeedMissing(session=session, file=str(file)) from unreadable
        if provable_dice.seed_commitment(campaign, session, seed) != commitment:
            raise refusals.SeedMissing(session=session, file=str(file))
        return seed

    def _file(self, campaign: str, commitment: str) -> Path:
        return self._chosen_folder() / f"{campaign}-{commitment[:16]}.seed"

    def _chosen_folder(self) -> Path:
        if self._folder is not None:
            return self._folder
        import platformdirs  # not above: few commands need it

        return platformdirs.user_data_path("campaign-tracker") / "dice"
