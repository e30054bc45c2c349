from datetime import datetime, timezone

import pytest

from plimsoll._retry import stated_wait, wait_before

NOW = datetime(2026, 11, 21, 12, tzinfo=timezone.utc)


def test_waits_grow_up_to_a_limit_and_have_jitter() -> None:
    assert [wait_before(attempt, None, 1) for attempt in range(1, 8)] == [0.5, 1, 2, 4, 8, 8, 8]
    assert [wait_before(attempt, None, 0) for attempt in range(1, 4)] == [0.25, 0.5, 1]


def test_a_stated_wait_is_kept_unless_it_is_too_long() -> None:
    assert wait_before(1, 10, 0) == 10.0625
    assert wait_before(1, 61, 0) is None


@pytest.mark.parametrize(
    ("status", "headers", "seconds"),
    [
        (503, {"retry-after": "2"}, 2),
        (503, {"retry-after": "-2"}, 0),
        (503, {"retry-after": "Sat, 21 Nov 2026 12:00:30 GMT"}, 30),
        (503, {"retry-after": "soon"}, None),
        (429, {"x-ratelimit-reset": "2026-11-21T12:00:05.000Z"}, 5),
        (429, {"x-ratelimit-reset": "never"}, None),
        (503, {"x-ratelimit-reset": "2026-11-21T12:00:05.000Z"}, None),
        (429, {}, None),
    ],
)
def test_reads_the_wait_of_a_response(status: int, headers: dict[str, str], seconds: object) -> None:
    assert stated_wait(status, headers, NOW) == seconds
