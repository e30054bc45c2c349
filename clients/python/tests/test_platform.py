"""The clients against a running platform, with faults in between."""

from __future__ import annotations

import asyncio
import itertools
import time

import httpx
import pytest
from conftest import Receiver
from faults import FAULTS, AsyncFaultyTransport, Faults, FaultyTransport

from plimsoll import (
    ApiError,
    AsyncPlimsoll,
    CallOptions,
    ConnectionFailed,
    FollowedEvent,
    Plimsoll,
    TimedOut,
    WebhookVerificationError,
    models,
    webhooks,
)


@pytest.fixture
def faults() -> Faults:
    return Faults()


@pytest.fixture
def faulty(faults: Faults, url: str, key: str) -> Plimsoll:
    return Plimsoll(key, url, http_client=httpx.Client(transport=FaultyTransport(faults)))


def test_reads_a_position_with_exact_amounts(client: Plimsoll, wallet: str) -> None:
    listed = client.positions.list(wallet=wallet).take(1)[0]
    position = client.positions.get(listed.id)
    assert position.wallet == wallet
    raw = position.health_factor_raw
    assert isinstance(raw, int) and position.health_factor is not None
    assert abs(raw / 10**18 / position.health_factor - 1) < 1e-9


def test_reads_every_item_over_pages_of_any_size(client: Plimsoll) -> None:
    whole = [chain.id for chain in client.chains.list(limit=100)]
    assert [chain.id for chain in client.chains.list(limit=3)] == whole
    assert [len(page.chains) for page in itertools.islice(client.chains.list(limit=3).pages(), 2)] == [3, 3]


@pytest.mark.parametrize("fault", FAULTS)
def test_sends_a_request_again_after(fault: str, faulty: Plimsoll, faults: Faults) -> None:
    faults.next = [fault, fault]
    assert len(faulty.chains.list(limit=2).first_page().chains) == 2


@pytest.mark.parametrize("fault", FAULTS)
def test_async_sends_a_request_again_after(fault: str, faults: Faults, url: str, key: str) -> None:
    async def read() -> int:
        inner = httpx.AsyncClient(transport=AsyncFaultyTransport(faults))
        async with AsyncPlimsoll(key, url, http_client=inner) as client:
            return len((await client.chains.list(limit=2).first_page()).chains)

    faults.next = [fault, fault]
    assert asyncio.run(read()) == 2


def test_a_write_whose_response_was_lost_happens_once(
    faulty: Plimsoll, faults: Faults, receiver: Receiver
) -> None:
    faults.next = ["reset-after", "truncated"]
    created = faulty.webhooks.create(url=receiver.url, events=["alert.created"]).webhook
    assert faults.forwarded == ["POST /v1/webhooks"] * 3
    same = [each for each in faulty.webhooks.list() if each.url == receiver.url]
    assert [each.id for each in same] == [created.id]
    faulty.webhooks.delete(created.id)


@pytest.mark.parametrize(
    ("fault", "error"), [("reset", ConnectionFailed), ("stall", TimedOut), ("bad-gateway", ApiError)]
)
def test_ends_with_a_typed_error_when_every_attempt_fails(
    fault: str, error: type[Exception], faulty: Plimsoll, faults: Faults
) -> None:
    faults.next = [fault, fault]
    with pytest.raises(error):
        faulty.service.status(options=CallOptions(max_retries=1))
    assert faults.next == []


def test_states_code_field_request_and_remedy_and_does_not_repeat(
    faulty: Plimsoll, faults: Faults
) -> None:
    with pytest.raises(ApiError) as refused:
        faulty.simulate.monte_carlo(
            position_id="pos_0000000000000000000000", iterations=-1, horizon_days=30
        )
    error = refused.value
    assert (error.status, error.code, error.field) == (400, "invalid_request", "iterations")
    assert (error.request_id or "").startswith("req_") and "iterations" in error.remedy
    assert len(faults.forwarded) == 1


def test_a_webhook_of_the_platform_is_genuine(client: Plimsoll, receiver: Receiver) -> None:
    created = client.webhooks.create(url=receiver.url, events=["alert.created"])
    client.webhooks.test(created.webhook.id, event="test.ping")
    body, headers = receiver.requests.get(timeout=30)
    event = webhooks.verify(body, headers, created.webhook.secret)
    assert isinstance(event, models.TestPingEvent)
    with pytest.raises(WebhookVerificationError):
        webhooks.verify(body + b" ", headers, created.webhook.secret)
    client.webhooks.delete(created.webhook.id)


def test_follows_each_event_once_and_continues_after_its_cursor(
    faulty: Plimsoll, faults: Faults, receiver: Receiver
) -> None:
    created = faulty.webhooks.create(url=receiver.url, events=["alert.created"])
    start = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(time.time() - 1))
    for _ in range(3):
        faulty.webhooks.test(created.webhook.id, event="test.ping")
    for _ in range(3):
        receiver.requests.get(timeout=30)
    faults.next = ["reset", "bad-gateway", "truncated"]
    own: list[FollowedEvent] = []
    for event in faulty.follow_events(since=start, type="test.ping", interval=0.2):
        assert isinstance(event, FollowedEvent)
        own.append(event)
        if len(own) == 3:
            break
    assert len({each.event.event_id for each in own}) == 3
    again = faulty.follow_events(since=own[0].cursor, type="test.ping", interval=0.2)
    rest = [next(again), next(again)]
    assert [each.event.event_id for each in rest if isinstance(each, FollowedEvent)] == [
        each.event.event_id for each in own[1:]
    ]
    faulty.webhooks.delete(created.webhook.id)
