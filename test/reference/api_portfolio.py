"""What api_figures.py checks over several positions, and of the market."""

import api_formulas as formula
from api_position import THRESHOLDS

AT_RISK = ("high", "critical", "liquidatable")
HISTORY_DAYS = 400


def check(api, figures, chosen):
    wallets = sorted({position["wallet"] for position in chosen})
    named = ",".join(wallets)
    answers, is_one = api.at_one_block({
        "list": (f"/positions?wallet={named}&include=assets&limit=200", None),
        "portfolio": (f"/analytics/portfolio?wallet={named}", None),
        "metrics": (f"/risk/metrics?wallet={named}", None),
        "batch": ("/positions/batch", {"wallets": wallets}),
    })
    positions = answers["list"]["positions"]
    subject = f"portfolio of {len(positions)} positions"
    figures.same("portfolio endpoints at one block", subject, is_one, True)
    figures.same("all positions on one page", subject, answers["list"]["nextCursor"], None)
    portfolio, metrics = answers["portfolio"]["portfolio"], answers["metrics"]
    figures.same("positions counted alike", subject,
                 [portfolio["totalPositions"], metrics["positions"], answers["batch"]["count"]], [len(positions)] * 3)
    for field in ("totalCollateralUsd", "totalDebtUsd", "totalSuppliedUsd", "netWorthUsd"):
        summed = sum(position[field] for position in positions)
        figures.number("sums of the portfolio", subject, portfolio[field], summed, 1e-9)
    figures.number("netWorthUsd: portfolio and risk/metrics", subject, metrics["netWorthUsd"], portfolio["netWorthUsd"], 1e-7)
    owing = [position for position in positions if position["healthFactorRaw"] is not None]
    factors = [int(position["healthFactorRaw"]) / formula.WAD for position in owing]
    debts = [float(formula.total(position["debtAssets"], position)) for position in owing]
    figures.number("avgHealthFactor", subject, portfolio["avgHealthFactor"], formula.mean(factors))
    weighted = sum(factor * debt for factor, debt in zip(factors, debts)) / sum(debts)
    figures.number("debtWeightedHealthFactor", subject, portfolio["debtWeightedHealthFactor"], weighted, 1e-7)
    figures.number("medianHealthFactor", subject, portfolio["medianHealthFactor"], formula.median(factors))
    figures.number("lowestHealthFactor", subject, portfolio["lowestHealthFactor"], min(factors))
    levels = [formula.level(position["healthFactorRaw"], position["probability7d"])[0] for position in positions]
    at_risk = sum(level in AT_RISK for level in levels)
    figures.same("positionsAtRisk", subject, portfolio["positionsAtRisk"], at_risk)
    figures.same("riskThresholds of the portfolio", subject, answers["portfolio"]["riskThresholds"], THRESHOLDS)
    check_daily_risk(api, figures, subject, positions, metrics)


def check_daily_risk(api, figures, subject, positions, metrics):
    exposures = {}
    for position in positions:
        for sign, legs in ((1, position["collateralAssets"]), (-1, position["debtAssets"])):
            for leg in legs:
                name = formula.symbol(leg["asset"])
                exposures[name] = exposures.get(name, 0) + sign * float(formula.usd(leg, position))
    window = metrics["historyWindow"]
    closes = {name: closes_of(api, name, window) for name in exposures}
    figures.same("days of the history", subject, {len(days) for days in closes.values()}, {window["days"] + 1})
    value_usd = sum(exposures.values())
    returns = [
        max(-1.0, sum(usd * (closes[name][day + 1] / closes[name][day] - 1) for name, usd in exposures.items()) / value_usd)
        for day in range(window["days"])
    ]
    var, cvar, volatility, sharpe = formula.daily_risk(returns)
    for name, expected in (("var95", var), ("cvar95", cvar), ("portfolioVolatility", volatility), ("sharpeRatio", sharpe)):
        figures.number(f"{name}, historical", subject, metrics[name], expected, 1e-7)
    figures.number("var95Usd, historical", subject, metrics["var95Usd"], var * value_usd, 1e-6)


def closes_of(api, name, window):
    bars = api.call(f"/prices/history?symbol={name}&days={HISTORY_DAYS}")["bars"]
    return [bar["close"] for bar in bars if window["from"] <= bar["day"] <= window["to"]]


def check_market(api, figures):
    """Protocols and prices: figures beside each other must not contradict each other."""
    protocols = api.call("/protocols?limit=200")["protocols"]
    for protocol in protocols:
        own = protocol["id"]
        is_unknown = protocol["tvlSource"] == "none"
        figures.same("tvlBracket of an unknown value", own, protocol["tvlBracket"] == "unknown", is_unknown)
        if is_unknown:
            figures.same("tvl of an unknown value", own, [protocol["tvl"], bool(protocol["tvlReason"])], [0, True])
        is_followed = not (is_unknown and protocol["status"] == "unconfigured")
        figures.same("riskTier of what is not followed", own, protocol["riskTier"] != "unknown", is_followed)
        if protocol["status"] == "unconfigured":
            continue
        for market in api.call(f"/protocols/{own}")["protocol"]["markets"]:
            if market["suppliedUsd"] is None:
                continue
            supplied, borrowed = market["suppliedUsd"], market["borrowedUsd"]
            figures.number("tvlUsd of a market", own, market["tvlUsd"], supplied - borrowed)
            if market["utilisation"] is not None:
                share = borrowed / supplied if supplied else 0
                figures.number("utilisation of a market", own, market["utilisation"], share)
    prices = api.call("/prices/batch", {"symbols": ["ETH", "BTC", "LINK", "USDC", "DAI", "USDT"]})["prices"]
    for name, price in prices.items():
        # No asset is worth more than 5 trillion USD.
        figures.same("usd_market_cap is possible", name, 0 <= price["usd_market_cap"] < 5e12, True)
