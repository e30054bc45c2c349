"""What every client must decide in the same way. The build writes the vectors."""

from __future__ import annotations

import base64
import json
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

import pytest

from plimsoll import WebhookVerificationError, webhooks
from plimsoll._retry import stated_wait, wait_before

VECTORS: dict[str, Any] = json.loads(
    (Path(__file__).parents[2] / "vectors" / "vectors.json").read_text(encoding="utf-8")
)
NOW = datetime.fromtimestamp(VECTORS["nowMs"] / 1000, timezone.utc)


@pytest.mark.parametrize("vector", VECTORS["webhooks"], ids=lambda vector: str(vector["name"]))
def test_webhooks(vector: dict[str, Any]) -> None:
    code = None
    try:
        webhooks.verify(
            base64.b64decode(vector["bodyBase64"]),
            vector["headers"],
            vector["secrets"],
            tolerance_seconds=vector.get("toleranceSeconds", 300),
            accept_without_time=vector.get("acceptWithoutTime", False),
            now=NOW.timestamp(),
        )
    except WebhookVerificationError as error:
        code = error.code
    assert code == vector["code"]


@pytest.mark.parametrize("vector", VECTORS["statedWaits"])
def test_stated_waits(vector: dict[str, Any]) -> None:
    wait = stated_wait(vector["status"], vector["headers"], NOW)
    assert (None if wait is None else wait * 1000) == vector["waitMs"]


@pytest.mark.parametrize("vector", VECTORS["waits"])
def test_waits(vector: dict[str, Any]) -> None:
    stated = vector["statedMs"]
    wait = wait_before(vector["attempt"], None if stated is None else stated / 1000, vector["random"])
    assert (None if wait is None else wait * 1000) == vector["waitMs"]
