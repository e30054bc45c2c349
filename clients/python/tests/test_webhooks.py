"""Signatures come from the reference library of Standard Webhooks, so the two are independent."""

import base64
import hashlib
import hmac
import json
import os
from datetime import datetime, timezone
from typing import Optional

import pytest
from standardwebhooks.webhooks import Webhook

from plimsoll import WebhookVerificationError, models, webhooks

NOW = datetime(2026, 11, 21, 12, tzinfo=timezone.utc)
ID = "evt_0000000000000000000001"
BODY = json.dumps(
    {
        "event": "test.ping",
        "timestamp": "2026-11-21T12:00:00.000Z",
        "webhookId": "wh_0000000000000000000001",
        "eventId": ID,
        "data": {
            "message": "ping",
            "webhookId": "wh_0000000000000000000001",
            "timestamp": "2026-11-21T12:00:00.000Z",
        },
        "later": {"a": 1},
    }
).encode()


def new_secret() -> str:
    return "whsec_" + base64.b64encode(os.urandom(32)).decode()


SECRET = new_secret()


def standard(body: bytes, secret: str, at: datetime = NOW) -> dict[str, str]:
    signature = Webhook(secret).sign(ID, at, body.decode())
    return {
        "webhook-id": ID,
        "webhook-timestamp": str(int(at.timestamp())),
        "webhook-signature": signature,
    }


def simple(body: bytes, secret: str) -> str:
    return hmac.new(secret.encode(), body, hashlib.sha256).hexdigest()


def code_of(body: bytes, headers: dict[str, str], secret: object = SECRET, **options: object) -> Optional[str]:
    try:
        webhooks.verify(body, headers, secret, now=NOW.timestamp(), **options)  # type: ignore[arg-type]
    except WebhookVerificationError as error:
        return error.code
    return None


def test_returns_the_event_of_a_request_that_the_reference_library_signed() -> None:
    event = webhooks.verify(BODY, standard(BODY, SECRET), SECRET, now=NOW.timestamp())
    assert isinstance(event, models.TestPingEvent)
    assert event.event_id == ID


def test_takes_header_names_in_any_case() -> None:
    headers = {name.title(): value for name, value in standard(BODY, SECRET).items()}
    assert code_of(BODY, headers) is None


def test_accepts_one_of_several_secrets() -> None:
    assert code_of(BODY, standard(BODY, SECRET), [new_secret(), SECRET]) is None
    assert code_of(BODY, standard(BODY, SECRET), [new_secret(), new_secret()]) == "signature_wrong"


@pytest.mark.parametrize(
    "changed",
    [BODY + b" ", BODY.replace(b"ping", b"pong"), json.dumps(json.loads(BODY), separators=(",", ":")).encode(), b""],
    ids=["longer", "tampered", "re-encoded", "empty"],
)
def test_refuses_a_changed_body(changed: bytes) -> None:
    assert code_of(changed, standard(BODY, SECRET)) == "signature_wrong"


@pytest.mark.parametrize(("seconds", "code"), [(301, "timestamp_too_old"), (-301, "timestamp_in_future"), (299, None)])
def test_refuses_a_time_far_from_the_clock(seconds: int, code: Optional[str]) -> None:
    at = datetime.fromtimestamp(NOW.timestamp() - seconds, timezone.utc)
    assert code_of(BODY, standard(BODY, SECRET, at)) == code


def test_a_recorded_request_without_its_time_needs_permission() -> None:
    headers = {"x-service-signature": simple(BODY, SECRET)}
    assert code_of(BODY, headers) == "timestamp_missing"
    assert code_of(BODY, headers, accept_without_time=True) is None
    assert code_of(BODY + b" ", headers, accept_without_time=True) == "signature_wrong"


@pytest.mark.parametrize(
    ("headers", "code"),
    [
        ({}, "signature_missing"),
        ({**standard(BODY, SECRET), "webhook-timestamp": "1e9"}, "timestamp_invalid"),
        ({**standard(BODY, SECRET), "webhook-timestamp": "١٢٣"}, "timestamp_invalid"),
        ({**standard(BODY, SECRET), "webhook-signature": "v1,%%% v2,abc"}, "signature_wrong"),
    ],
)
def test_refuses_malformed_headers(headers: dict[str, str], code: str) -> None:
    assert code_of(BODY, headers) == code


@pytest.mark.parametrize("secret", ["", "whsec_", "whsec_%%%", "secret"])
def test_refuses_what_is_no_secret(secret: str) -> None:
    assert code_of(BODY, standard(BODY, SECRET), secret) == "secret_invalid"


def test_refuses_a_signed_body_that_is_no_event() -> None:
    for body in (b"[]", b"null", b"{", b'{"event": 1}'):
        assert code_of(body, standard(body, SECRET)) == "body_invalid"


def test_returns_an_event_that_this_release_does_not_know() -> None:
    body = json.dumps({"event": "later.event", "eventId": ID}).encode()
    event = webhooks.verify(body, standard(body, SECRET), SECRET, now=NOW.timestamp())
    assert event.model_extra == {"event": "later.event", "eventId": ID}
