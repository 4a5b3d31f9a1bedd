"""An authenticator in software: keys, counts and signatures as WebAuthn has them, and every way to be wrong."""

import hashlib
import json
from base64 import urlsafe_b64decode, urlsafe_b64encode
from typing import Any

import cbor2
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec

PRESENT, VERIFIED, HOLDS_A_KEY = 0x01, 0x04, 0x40


def text(content: bytes) -> str:
    """Base64url, as browsers write it."""
    return urlsafe_b64encode(content).rstrip(b"=").decode()


def content(written: str) -> bytes:
    """What was written so."""
    return urlsafe_b64decode(written + "===")


class Authenticator:
    """One device with one key."""

    def __init__(self, *, origin: str, host: str, credential: bytes = b"a key of the tests") -> None:
        self.origin, self.host, self.credential = origin, host, credential
        self.key = ec.generate_private_key(ec.SECP256R1())
        self.count = 0
        self.flags = PRESENT | VERIFIED
        self.handle = b""

    def made(self, options: dict[str, Any]) -> dict[str, Any]:
        """The answer to `navigator.credentials.create`."""
        self.handle = content(options["user"]["id"])
        numbers = self.key.public_key().public_numbers()
        public = cbor2.dumps(
            {1: 2, 3: -7, -1: 1, -2: numbers.x.to_bytes(32, "big"), -3: numbers.y.to_bytes(32, "big")}
        )
        about_key = bytes(16) + len(self.credential).to_bytes(2, "big") + self.credential + public
        data = self._data(HOLDS_A_KEY) + about_key
        said = self._said("webauthn.create", options["challenge"])
        attested = cbor2.dumps({"fmt": "none", "attStmt": {}, "authData": data})
        return self._credential(clientDataJSON=said, attestationObject=attested)

    def given(self, options: dict[str, Any]) -> dict[str, Any]:
        """The answer to `navigator.credentials.get`."""
        self.count += 1
        data, said = self._data(0), self._said("webauthn.get", options["challenge"])
        signature = self.key.sign(data + hashlib.sha256(said).digest(), ec.ECDSA(hashes.SHA256()))
        return self._credential(
            clientDataJSON=said, authenticatorData=data, signature=signature, userHandle=self.handle
        )

    def _data(self, more_flags: int) -> bytes:
        host = hashlib.sha256(self.host.encode()).digest()
        return host + bytes([self.flags | more_flags]) + self.count.to_bytes(4, "big")

    def _said(self, kind: str, challenge: str) -> bytes:
        return json.dumps({"type": kind, "challenge": challenge, "origin": self.origin}).encode()

    def _credential(self, **response: bytes) -> dict[str, Any]:
        own = text(self.credential)
        written = {name: text(value) for name, value in response.items()}
        return {"id": own, "rawId": own, "type": "public-key", "response": written}
