"""What `npm run contract` adds to schemathesis; schemathesis.toml says the rest."""

import os
import secrets
from urllib.parse import urlsplit

import schemathesis

# Rules that no schema can say: the only reasons for which an operation may refuse what fits its schema.
CURSOR = {"invalid_cursor"}  # a cursor is good for the list that gave it
NAMED_REASONS = {
    "listPositions": CURSOR | {"invalid_checksum"},  # capitals of an address are a checksum
    "listWallets": CURSOR,
    "listAlerts": CURSOR,
    "listWebhooks": CURSOR,
    "watchWallet": {"invalid_checksum"},
    "unwatchWallet": {"invalid_checksum"},
    "createWebhook": {"unsafe_url"},  # https, no user info, a public address
}


@schemathesis.check
def refused_for_named_reason(ctx, response, case):
    """A 400 to what fits the schema comes from an operation of NAMED_REASONS, for a reason that is named there."""
    if response.status_code != 400 or not case.meta or not case.meta.generation.mode.is_positive:
        return
    body = response.json()
    reasons = {error["code"] for error in body.get("errors", [])} or {body["code"]}
    operation_id = case.operation.definition.raw["operationId"]
    named = NAMED_REASONS.get(operation_id, set())
    assert reasons <= named, f"{operation_id} refused valid data for {reasons - named}"


@schemathesis.hook
def before_call(ctx, case, **kwargs):
    # Calls without a key are limited by address: each comes from another one. Loopback is a trusted proxy of npm start.
    # Not from `random`, which is seeded anew for every example.
    case.headers["X-Forwarded-For"] = ".".join(["198", "18", *map(str, secrets.token_bytes(2))])
    keep_webhook_here(case)


def keep_webhook_here(case):
    """Nothing is ever sent to a generated host: a webhook's URL that could be one is the receiver of this run."""
    if not isinstance(case.body, dict) or not isinstance(case.body.get("url"), str) or len(case.body["url"]) > 2048:
        return
    try:
        parts = urlsplit(case.body["url"])
    except ValueError:
        return
    if parts.scheme in ("http", "https") and parts.hostname:
        case.body = {**case.body, "url": os.environ["CONTRACT_RECEIVER_URL"] + "/hook"}
