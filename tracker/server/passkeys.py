"""Passkeys over HTTP: registration and sign-in (WebAuthn, two requests each).

A challenge is a secret stored as a hash, valid once, for one purpose and five minutes. A key belongs to the
service's configured address: its host (the relying party) and its origin.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, NamedTuple
from urllib.parse import urlsplit

import msgspec
import webauthn
from cryptography.exceptions import InvalidSignature
from fastapi import FastAPI, Request, Response
from webauthn.helpers import base64url_to_bytes, bytes_to_base64url, parse_client_data_json
from webauthn.helpers.exceptions import WebAuthnException
from webauthn.helpers.structs import (
    AuthenticatorSelectionCriteria,
    PublicKeyCredentialDescriptor,
    ResidentKeyRequirement,
    UserVerificationRequirement,
)

from tracker.people.records import Passkey
from tracker.people.refusals import ChallengeNotValid, PasskeyNotValid
from tracker.records import decoder_of
from tracker.server import endpoints, sessions
from tracker.server.access import Caller
from tracker.server.browser_sign_in import Body, count_sign_in, signed_in
from tracker.server.threads import Threads
from tracker.service.application import Tracker
from tracker.service.sign_in import CHALLENGE_SECONDS, MadeSession

REGISTER: Final = "/account/passkeys"
SIGN_IN: Final = "/sign-in/passkey"
NAME: Final = "Arbitrator"
BYTES_MAX: Final = 64 * 1024
LABEL_LETTERS_MOST: Final = 60
TRANSPORTS_MOST: Final = 8
_REGISTERING: Final = "passkey register"
_SIGNING_IN: Final = "passkey sign-in"
_NOT_OURS: Final = (
    WebAuthnException, InvalidSignature, AttributeError, LookupError, RecursionError, TypeError, ValueError,
)  # fmt: skip
"""The exceptions of parsing bytes that anybody may send."""


class Site(NamedTuple):
    """The service that keys are for."""

    origin: str

    @property
    def host(self) -> str:
        """The relying party's id."""
        return urlsplit(self.origin).hostname or ""


class AuthenticatorResponse(msgspec.Struct, forbid_unknown_fields=True):
    """The response of the browser's authenticator."""

    credential: dict[str, Any]
    """A `PublicKeyCredential`, in the form of its `toJSON`."""
    label: str = ""
    """The owner's name for the key."""


def add(app: FastAPI, body_of: Body, address: str) -> None:
    """Add the routes, for keys of the service at this address."""
    site = Site(address)
    opened: Tracker = app.state.tracker
    threads: Threads = app.state.threads

    async def begin_registering(request: Request) -> Response:
        caller = await signed_in(app, request)
        return _json(await threads.write(lambda: _registration_options(opened, site, caller)))

    async def register(request: Request) -> Response:
        caller = await signed_in(app, request)
        answer = _answer(await body_of(request, BYTES_MAX))
        label = answer.label.strip()[:LABEL_LETTERS_MOST] or sessions.label(request)
        key = await threads.write(lambda: _registered(opened, site, caller, answer.credential, label))
        return _json({"credential": key.credential, "label": key.label})

    async def begin_sign_in(request: Request) -> Response:
        count_sign_in(app, request)
        return _json(await threads.write(lambda: _sign_in_options(opened, site)))

    async def sign_in(request: Request) -> Response:
        count_sign_in(app, request)
        answer = _answer(await body_of(request, BYTES_MAX))
        label = sessions.label(request)
        made = await threads.write(lambda: _signed_in(opened, site, answer.credential, label))
        response = _json({"person": made.session.person})
        sessions.keep(request, response, made)
        return response

    for path, endpoint in (
        (f"{REGISTER}/begin", begin_registering),
        (f"{REGISTER}/finish", register),
        (f"{SIGN_IN}/begin", begin_sign_in),
        (f"{SIGN_IN}/finish", sign_in),
    ):
        endpoints.add(app, "POST", path, endpoint)


# --- in a thread -------------------------------------------------------------------------------------------


def _registration_options(opened: Tracker, site: Site, caller: Caller) -> bytes:
    keys = opened.people.passkeys
    kept = {"person": caller.actor, "session": caller.session}
    challenge = keys.challenge(_REGISTERING, kept)
    options = webauthn.generate_registration_options(
        rp_id=site.host,
        rp_name=NAME,
        user_id=caller.actor.encode(),
        user_name=caller.name,
        challenge=challenge.encode(),
        timeout=CHALLENGE_SECONDS * 1000,
        authenticator_selection=AuthenticatorSelectionCriteria(
            resident_key=ResidentKeyRequirement.REQUIRED,
            user_verification=UserVerificationRequirement.REQUIRED,
        ),
        exclude_credentials=[
            PublicKeyCredentialDescriptor(id=base64url_to_bytes(key.credential))
            for key in keys.of(caller.actor)
        ],
    )
    return webauthn.options_to_json(options).encode()


def _registered(
    opened: Tracker, site: Site, caller: Caller, credential: Mapping[str, Any], label: str
) -> Passkey:
    keys = opened.people.passkeys
    challenge = _challenge(credential)
    if keys.answer(_REGISTERING, challenge) != {"person": caller.actor, "session": caller.session}:
        raise ChallengeNotValid
    try:
        verified = webauthn.verify_registration_response(
            credential=dict(credential),
            expected_challenge=challenge.encode(),
            expected_rp_id=site.host,
            expected_origin=site.origin,
            require_user_verification=True,
        )
    except _NOT_OURS as wrong:
        raise PasskeyNotValid from wrong
    return keys.add(
        caller.actor,
        credential=bytes_to_base64url(verified.credential_id),
        public_key=verified.credential_public_key,
        sign_count=verified.sign_count,
        transports=_transports(credential),
        label=label,
    )


def _sign_in_options(opened: Tracker, site: Site) -> bytes:
    challenge = opened.people.passkeys.challenge(_SIGNING_IN, {})
    options = webauthn.generate_authentication_options(
        rp_id=site.host,
        challenge=challenge.encode(),
        timeout=CHALLENGE_SECONDS * 1000,
        user_verification=UserVerificationRequirement.REQUIRED,
    )
    return webauthn.options_to_json(options).encode()


def _signed_in(opened: Tracker, site: Site, credential: Mapping[str, Any], label: str) -> MadeSession:
    keys = opened.people.passkeys
    challenge = _challenge(credential)
    keys.answer(_SIGNING_IN, challenge)
    key = keys.by_credential(str(credential.get("id")))
    try:
        verified = webauthn.verify_authentication_response(
            credential=dict(credential),
            expected_challenge=challenge.encode(),
            expected_rp_id=site.host,
            expected_origin=site.origin,
            credential_public_key=key.public_key,
            credential_current_sign_count=key.sign_count,
            require_user_verification=True,
        )
        handle = credential["response"].get("userHandle")
        is_theirs = not handle or base64url_to_bytes(handle) == key.person.encode()
    except _NOT_OURS as wrong:
        raise PasskeyNotValid from wrong
    if not is_theirs:
        raise PasskeyNotValid
    keys.used(key.credential, sign_count=verified.new_sign_count)
    return opened.people.sessions.new(key.person, label=label)


def _challenge(credential: Mapping[str, Any]) -> str:
    """The challenge that was answered. Raises ChallengeNotValid if there is none."""
    try:
        said = parse_client_data_json(base64url_to_bytes(credential["response"]["clientDataJSON"]))
        return said.challenge.decode("ascii")
    except _NOT_OURS as wrong:
        raise ChallengeNotValid from wrong


def _transports(credential: Mapping[str, Any]) -> tuple[str, ...]:
    """The transports that the browser names; they only speed up finding the key."""
    given = credential["response"].get("transports")
    if not isinstance(given, list):
        return ()
    return tuple(str(name)[:20] for name in given[:TRANSPORTS_MOST])


def _answer(body: bytes) -> AuthenticatorResponse:
    try:
        answer: AuthenticatorResponse = decoder_of(AuthenticatorResponse).decode(body)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as wrong:
        raise PasskeyNotValid from wrong
    return answer


def _json(content: bytes | Mapping[str, Any]) -> Response:
    body = content if isinstance(content, bytes) else msgspec.json.encode(content)
    return Response(body, headers={"Cache-Control": "no-store"}, media_type="application/json")
