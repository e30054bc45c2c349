"""The times of recorded forecasts. The log shows that they are older than their outcome."""

from __future__ import annotations

from ._differences import Difference
from ._schema import ForecastContent, ForecastReceipt

DAY_MS = 86_400_000
ONE = 10**18


def check_forecasts(receipt: ForecastReceipt) -> str:
    """Return the forecasts as text. Raises Difference for one that was not signed between its start and its end."""
    content, signed_at = receipt.content, receipt.signature.signedAt
    if not content.forecasts:
        raise Difference("probability_invalid", "no forecast")
    for forecast in content.forecasts:
        days = f"{forecast.horizonDays} d"
        if forecast.expiresAt != content.madeAt + forecast.horizonDays * DAY_MS:
            raise Difference("forecast_time_differs", f"{days}: the end is {forecast.expiresAt}")
        if not content.madeAt <= signed_at < forecast.expiresAt:
            raise Difference("forecast_time_differs", f"{days}: signed at {signed_at}, made at {content.madeAt}")
        if int(forecast.probability) > ONE:
            raise Difference("probability_invalid", f"{days}: {forecast.probability}")
    stated = (f"{int(each.probability) / ONE:.4f} in {each.horizonDays} d" for each in content.forecasts)
    return f"{', '.join(stated)} by {content.model.name} version {content.model.version}"


def check_logged(content: ForecastContent, root_signed_at: int) -> None:
    """Raises Difference for a root of the log that was signed after the end of a forecast."""
    for forecast in content.forecasts:
        if root_signed_at >= forecast.expiresAt:
            raise Difference("logged_late", f"the forecast over {forecast.horizonDays} d ended before the root")
