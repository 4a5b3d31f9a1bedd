"""Secrets and ids: made here, and kept as hashes only."""

import base64
import hashlib
import hmac
import secrets

SECRET_BYTES = 32
TOKEN_PREFIX = "trk_"  # noqa: S105  # how a token begins, so that a scanner knows one that got out
INVITE_PREFIX = "tri_"
SESSION_PREFIX = "trs_"
CHALLENGE_PREFIX = "trc_"

PERSON_PREFIX = "person-"
_LETTERS = "0123456789abcdefghjkmnpqrstvwxyz"
"""Crockford's: no letter that reads as another."""
PERSON_LETTERS = 11
"""55 random bits."""
SHORT_LETTERS = 8


def new_secret(prefix: str) -> str:
    """256 random bits in base64url behind a prefix."""
    return prefix + secrets.token_urlsafe(SECRET_BYTES)


def secret_of(prefix: str, *said: str) -> str:
    """The secret of a request that may come twice: the same each time. One of `said` has to be a secret."""
    whole = hashlib.sha256("\n".join((prefix, *said)).encode("utf-8", "surrogatepass")).digest()
    return prefix + base64.urlsafe_b64encode(whole).decode().rstrip("=")


def signing_key(*said: str) -> str:
    """A key of 256 bits in base64: random, or the same for what may be said twice, with a secret in it."""
    made = hashlib.sha256("\n".join(said).encode("utf-8", "surrogatepass")).digest() if said else None
    return base64.b64encode(made or secrets.token_bytes(SECRET_BYTES)).decode()


def hashed(secret: str) -> str:
    """SHA-256 of a secret, in hex. A secret of 256 random bits needs no salt and no slow hash."""
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()


def same(kept: str, given: str) -> bool:
    """Whether two hashes are one, in a time that says nothing about where they differ."""
    return hmac.compare_digest(kept, given)


def new_person_id() -> str:
    """An id that nobody has."""
    return PERSON_PREFIX + _letters(PERSON_LETTERS)


def new_short_id(prefix: str) -> str:
    """An id for what a person or a campaign has few of, to name it in a command."""
    return prefix + _letters(SHORT_LETTERS)


def short_id_of(prefix: str, *said: str) -> str:
    """The same id each time, for what may be asked for twice. One of `said` has to be a secret."""
    whole = hashlib.sha256("\n".join((prefix, *said)).encode("utf-8", "surrogatepass")).digest()
    return prefix + "".join(_LETTERS[byte % len(_LETTERS)] for byte in whole[:SHORT_LETTERS])


def is_person_id(word: str) -> bool:
    """Whether an actor of the log is a person's id, and no name that was typed at a terminal."""
    return (
        word.startswith(PERSON_PREFIX)
        and len(word) == len(PERSON_PREFIX) + PERSON_LETTERS
        and set(word[len(PERSON_PREFIX) :]) <= set(_LETTERS)
    )


def _letters(count: int) -> str:
    return "".join(secrets.choice(_LETTERS) for _ in range(count))
