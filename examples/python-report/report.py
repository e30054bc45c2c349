"""Prints a report of the watched wallets as Markdown: the portfolio, the weakest positions and the active alerts."""

from __future__ import annotations

import os
from typing import Optional

from plimsoll import Plimsoll

WEAKEST = 10
MOST_ALERTS = 20


def usd(amount: float) -> str:
    return f"{amount:,.0f} USD"


def factor(value: Optional[float]) -> str:
    return "no debt" if value is None else f"{value:.3f}"


def plain(text: str) -> str:
    """Return text of others, such as a name of a wallet, without what Markdown would obey."""
    return "".join("\\" + each if each in "\\`*_[]<>|#!" else each for each in " ".join(text.split()))


def report(client: Plimsoll) -> str:
    portfolio = client.analytics.portfolio()
    figures = portfolio.portfolio
    lines = [
        "# Positions",
        "",
        f"{figures.total_positions} positions, {usd(figures.total_collateral_usd)} of collateral, "
        f"{usd(figures.total_debt_usd)} of debt. {figures.positions_at_risk} are at risk.",
        f"Blocks: {', '.join(f'{chain}: {block}' for chain, block in portfolio.as_of_block.items())}.",
        "",
        "| health factor | level | protocol | wallet | debt |",
        "|---|---|---|---|---|",
    ]
    names = {each.address: each.label for each in client.wallets.list() if each.label}
    for position in client.positions.list(limit=WEAKEST).take(WEAKEST):
        lines.append(
            f"| {factor(position.health_factor)} | {position.risk_level} | {position.protocol} "
            f"| {plain(names.get(position.wallet, position.wallet))} | {usd(position.total_debt_usd)} |"
        )
    if portfolio.unreadable:
        lines += ["", f"{len(portfolio.unreadable)} parts could not be read, so positions may be missing."]
    lines += ["", "# Active alerts", ""]
    alerts = client.alerts.list(status="active").take(MOST_ALERTS)
    lines += [f"- {alert.created_at:%Y-%m-%d %H:%M} UTC, {alert.level}: {plain(alert.title)}" for alert in alerts]
    return "\n".join(lines if alerts else [*lines, "There is none."])


if __name__ == "__main__":
    with Plimsoll(
        os.environ["PLIMSOLL_API_KEY"], os.environ.get("PLIMSOLL_URL", "http://127.0.0.1:4000")
    ) as plimsoll:
        print(report(plimsoll))
