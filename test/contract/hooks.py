"""What `npm run tool -- contract` adds to schemathesis; schemathesis.toml says the rest, accounts.py signs in."""

import os
import re
import secrets
import sys
from urllib.parse import urlsplit

import schemathesis

sys.path.insert(0, os.environ["CONTRACT_FOLDER"])
from accounts import COOKIE, Accounts  # noqa: E402

# Rules that no schema can say: the only reasons for which an operation may refuse what fits its schema.
NAMED_REASONS = {
    # capitals of an address are a checksum; a wallet or a group of the account, not both
    "listPositions": {"invalid_checksum", "unexpected", "unknown_wallet_group"},
    "listAlerts": {"invalid_checksum"},
    "resolveName": {"invalid_checksum"},
    "scanPositions": {"invalid_checksum", "unknown_chain"},  # chains are those of the registry
    "batchPositions": {"invalid_checksum"},
    "getPortfolio": {"invalid_checksum", "unexpected"},
    "listSnapshots": {"invalid_checksum", "unexpected"},
    # since before until, and not in the future; a wallet of the account
    "listPositionHistory": {"out_of_range", "tier_limit_exceeded"},
    "listWalletHistory": {"out_of_range", "tier_limit_exceeded", "invalid_checksum"},
    "listWalletGroupHistory": {"out_of_range", "tier_limit_exceeded"},
    "listAccountHistory": {"out_of_range", "tier_limit_exceeded"},
    "listMarketRateHistory": {"out_of_range"},  # since before until
    # groups are those of GET /v1/wallet-groups
    "watchWallet": {"invalid_checksum", "unknown_wallet_group"},
    "updateWallet": {"invalid_checksum", "unknown_wallet_group"},
    "importWallets": {"unknown_wallet_group"},
    "unwatchWallet": {"invalid_checksum"},
    "getReceiptInclusion": {"unexpected"},  # size or anchored, not both
    # chains are those of the registry; tokens are on one chain, and at most 20
    "listWalletBalances": {"invalid_checksum", "unknown_chain", "required", "too_many"},
    "createWebhook": {"unsafe_url"},  # https, no user info, a public address
    "updateWebhook": {"unsafe_url"},
    # A priced asset of the position, an own endpoint, a condition and target that deleverage can clear.
    "createRule": {"not_held", "not_available", "not_found", "unexpected", "out_of_range"},
    "previewRule": {"not_held"},
    "simulateWhatIf": {"not_held"},  # an asset of that position
    # Amounts and eModes of that position.
    "simulateMonteCarlo": {"not_held", "too_much", "not_available"},
    # a scenario at all, of an asset of the portfolio; wallets or a group; the cap of the tier
    "simulatePortfolio": {
        "required",
        "not_held",
        "unsupported_scenario",
        "unexpected",
        "invalid_address",
        "invalid_checksum",
        "unknown_wallet_group",
        "tier_limit_exceeded",
    },
    "simulateStressTest": {"unsupported_scenario"},  # those of GET /v1/simulate/scenarios
    "planDeleverage": {"not_held"},
    # deadline from now on; what goes with the mode and the strategy; a flash loan without an executor
    "executeDeleverage": {"out_of_range", "unexpected", "unsupported_execution"},
    "suggestActions": {"invalid_checksum"},
    "getRiskMetrics": {"invalid_checksum", "unexpected"},  # wallet or positionId, not both
    # The range of conditionValue, and whether there is an action, follow from what the rule is so far.
    "updateRule": {"out_of_range", "unexpected", "required", "not_found"},
    "createAuthorisation": {"unsupported_execution", "out_of_range"},  # a chain without executions; expiresAt
    "createKey": {"in_the_past"},  # expiresAt
    "confirmEmail": {"invalid_token"},  # a code that was mailed
    "resetPassword": {"invalid_token"},
    "changePassword": {"wrong_password"},  # the one that the account has
    "confirmSession": {"wrong_password"},
    # a code that was issued and approved, once
    "redeemDeviceCode": {"expired_token", "authorization_pending", "slow_down", "access_denied"},
    # minutes or until, not both and not neither; until is within the next 7 days
    "snoozeAlert": {"required", "unexpected", "future", "max"},
}

REASONS_OF_PARAMETERS = {"cursor": "invalid_cursor", "fields": "unknown_field"}

# An ENS name must exist.
NAME_REASONS = {"invalid_name", "name_without_address", "too_many_names"}


def named_reasons(case):
    """Those of the operation; a cursor is good for the list that gave it, and `fields` for the names of its items."""
    named = NAMED_REASONS.get(operation_id(case), set())
    if takes_names(case):
        named = named | NAME_REASONS
    query = case.query or {}
    return named | {code for name, code in REASONS_OF_PARAMETERS.items() if name in query}


@schemathesis.check
def refused_for_named_reason(ctx, response, case):
    """A 400 to what fits the schema comes from an operation of NAMED_REASONS, for a reason that is named there."""
    if response.status_code != 400 or not case.meta or not case.meta.generation.mode.is_positive:
        return
    body = response.json()
    is_general = body["code"] == "invalid_request"
    reasons = {error["code"] for error in body.get("errors", [])} if is_general else set()
    unnamed = (reasons or {body["code"]}) - named_reasons(case)
    assert not unnamed, f"{operation_id(case)} refused valid data for {unnamed}"


accounts = Accounts(os.environ["CONTRACT_ORIGIN"], lambda: new_address())


@schemathesis.hook
def before_call(ctx, case, **kwargs):
    # Calls without a key are limited by address: each comes from another one. Loopback is a trusted proxy of npm start.
    case.headers["X-Forwarded-For"] = new_address()
    if COOKIE in (case.cookies or {}):
        case.cookies[COOKIE] = accounts.token_for(operation_id(case), (case.path_parameters or {}).get("id"))
    keep_webhook_here(case)
    use_new_names(case)


@schemathesis.hook
def after_call(ctx, case, response):
    if operation_id(case) in ("createKey", "rotateKey") and response.status_code == 201:
        accounts.own(response.json()["key"]["id"], case.cookies[COOKIE])


def operation_id(case):
    return case.operation.definition.raw["operationId"]


def takes_names(case):
    """The operation takes ENS names: its success has the header that states them."""
    responses = case.operation.definition.raw["responses"].items()
    return operation_id(case) == "resolveName" or any(
        status.startswith("2") and "Resolved-Names" in response.get("headers", {}) for status, response in responses
    )


def new_address():
    # Not from `random`, which is seeded anew for every example.
    return ".".join(["198", "18", *map(str, secrets.token_bytes(2))])


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


def use_new_names(case):
    """What counts or works once is not the same in every call: an e-mail address, and an Idempotency-Key."""
    new = secrets.token_hex(8)
    key = (case.headers or {}).get("Idempotency-Key")
    if isinstance(key, str) and key.isascii() and key.isprintable() and " " not in key:
        case.headers["Idempotency-Key"] = key[:-16] + new
    email = case.body.get("email") if isinstance(case.body, dict) else None
    if isinstance(email, str) and "@" in email:
        fits = len(email) <= 254 - len(new)
        case.body = {**case.body, "email": new + email if fits else re.sub(r"[a-z0-9]{16}", new, email, count=1)}
