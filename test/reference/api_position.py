"""What api_figures.py checks of one position."""

import re
from math import log

import api_formulas as formula

SCENARIOS = ["march_2020"]
WHAT_IF_PERCENT = -10
MAX_SLIPPAGE_BPS = 50
DUST_USD = 10
LABELS = {"none": "low", "liquidatable": "critical"}
THRESHOLDS = {
    "healthFactor": dict(formula.FACTOR_EDGES),
    "probability7d": dict(formula.PROBABILITY_EDGES),
}


def choose(api, wanted):
    """Positions of all kinds: without debt, beside the collateral, paired assets, each protocol; then the others by health."""
    listed, cursor = [], ""
    while cursor is not None:
        page = api.call(f"/positions?include=assets&limit=200{cursor}")
        listed += [each for each in page["positions"] if "block" not in each]
        cursor = page["nextCursor"] and f"&cursor={page['nextCursor']}"
    kinds = {}
    for each in listed:
        idle = any(not leg["usedAsCollateral"] for leg in each["collateralAssets"])
        rarity = (each["healthFactor"] is not None, not idle, not formula.moves_together(each))
        kinds.setdefault((rarity, each["protocol"], each["chainId"]), each)
    chosen = [kinds[kind] for kind in sorted(kinds, key=str)][: wanted // 2]
    others = [each for each in listed if each not in chosen and each["healthFactor"] is not None]
    step = max(1, len(others) // max(1, wanted - len(chosen)))
    return (chosen + others[::step])[:wanted]


def check(api, figures, listed):
    identity, wallet, chain = listed["id"], listed["wallet"], str(listed["chainId"])
    own = f"/positions/{identity}"
    asset = what_if_asset(listed)
    target = round(max(1.5, (listed["healthFactor"] or 0) + 0.25), 2)
    calls = {
        "detail": (own, None),
        "list": (f"/positions?wallet={wallet}&limit=200", None),
        "scan": ("/positions/scan", {"wallet": wallet}),
        "batch": ("/positions/batch", {"wallets": [wallet]}),
        "portfolio": (f"/analytics/portfolio?positionId={identity}", None),
        "metrics": (f"/risk/metrics?positionId={identity}", None),
        "forecast": (f"{own}/forecast", {}),
        "what-if": ("/simulate/what-if", {"positionId": identity, "scenarios": [
            {"asset": asset, "priceChangePercent": WHAT_IF_PERCENT},
            {"asset": asset, "priceChangePercent": -WHAT_IF_PERCENT},
        ]}),
        "stress": ("/simulate/stress-test", {"positionId": identity, "scenarios": SCENARIOS}),
        "score": (f"{own}/risk-score", None),
    }
    if listed["healthFactor"] is not None and target <= 10:
        for strategy in ("repay_debt", "sell_collateral"):
            body = {"targetHealthFactor": target, "strategy": strategy, "maxSlippageBps": MAX_SLIPPAGE_BPS}
            calls[strategy] = (f"{own}/deleverage", body)
    answers, is_one = api.at_one_block(calls, {chain})
    position = answers["detail"]
    figures.same("all endpoints at one block", identity, is_one, True)
    check_legs(figures, position)
    check_level(figures, position)
    check_agreement(figures, position, answers)
    check_forecast(figures, position, answers)
    check_what_if(figures, position, answers["what-if"], asset)
    check_stress(figures, position, answers["stress"]["results"][0])
    check_score(figures, position, answers["score"])


def what_if_asset(position):
    """The largest volatile collateral, else the largest asset."""
    held = formula.collateral(position) or position["collateralAssets"]
    largest = sorted(held, key=lambda leg: -leg["usdValue"])
    return next((leg for leg in largest if formula.family(leg["asset"]) != "USD"), largest[0])["asset"]


def check_legs(figures, position):
    own = position["id"]
    for leg in position["collateralAssets"] + position["debtAssets"]:
        figures.number("amount of a leg", own, leg["amount"], int(leg["amountRaw"]) / 10 ** leg["decimals"])
        figures.number("usdValue of a leg", own, leg["usdValue"], formula.usd(leg, position))
        price = int(leg["priceRaw"]) * int(position["usdPerBaseRaw"]) / 10 ** (leg["priceDecimals"] + 18)
        figures.number("priceUsd of a leg", own, leg["priceUsd"], price)
    held = formula.total(formula.collateral(position), position)
    supplied = formula.total(position["collateralAssets"], position)
    owed = formula.total(position["debtAssets"], position)
    figures.number("totalCollateralUsd", own, position["totalCollateralUsd"], held, 1e-7)
    figures.number("totalDebtUsd", own, position["totalDebtUsd"], owed, 1e-7)
    figures.number("totalSuppliedUsd", own, position["totalSuppliedUsd"], supplied)
    figures.number("netWorthUsd", own, position["netWorthUsd"], supplied - owed, 1e-7)
    figures.same("isDust", own, position["isDust"], supplied < DUST_USD and owed < DUST_USD)
    raw = position["healthFactorRaw"]
    figures.number("healthFactor is healthFactorRaw", own, position["healthFactor"], raw and int(raw) / formula.WAD)
    # Aave cuts the average threshold to a basis point.
    figures.number("healthFactor of raw legs", own, position["healthFactor"], formula.health_factor(position), 2e-4)
    if position["protocol"] in ("aave-v3", "spark") and raw is not None:
        exact = formula.aave_health_factors(position)
        figures.same("healthFactorRaw to the wei (Aave)", own, int(raw) in exact, True)


def check_level(figures, position):
    own, raw = position["id"], position["healthFactorRaw"]
    expected, basis = formula.level(raw, position["probability7d"])
    figures.same("riskLevel of the figures", own, position["riskLevel"], expected)
    figures.same("riskLevelBasis", own, position["riskLevelBasis"], basis)
    is_paired = formula.moves_together(position) and raw is not None and int(raw) >= formula.WAD
    figures.same("a probability decides for paired assets alone", own, basis == "probability_7d", is_paired)
    check_reason(figures, own, position, basis, position["healthFactor"], position["probability7d"])
    figures.same("riskThresholds", own, position["riskThresholds"], THRESHOLDS)


def check_reason(figures, own, answer, basis, factor, probability, name="riskLevelReason"):
    """The numbers of the sentence: the figure, cut to its digits, then the edges of the range that it is in."""
    numbers = [float(each) for each in re.findall(r"\d+(?:\.\d+)?", answer["riskLevelReason"])]
    if basis == "no_debt":
        return figures.same(name, own, answer["riskLevelReason"], "No debt.")
    if basis == "probability_7d":
        numbers = [each / 100 for each in numbers[1:]]  # The 7 of "within 7 days".
        figure, step, falling = probability, 1e-3, False
        edges = sorted(formula.PROBABILITY_EDGES, key=lambda edge: edge[1])
    else:
        figure, step, falling = factor, 1e-4, True
        edges = formula.FACTOR_EDGES
    shown, *bounds = numbers
    limits = [edge for _, edge in edges]
    below = [edge for edge in limits if edge <= figure][-1:]
    above = [edge for edge in limits if edge > figure][:1]
    figures.same(f"{name}: its range", own, bounds, below + above)
    if not (not falling and figure < step):
        figures.number(f"{name}: its figure", own, 0 <= figure - shown + 1e-9 < step + 2e-9, True)


def check_agreement(figures, position, answers):
    own = position["id"]
    fields = ("healthFactorRaw", "totalCollateralUsd", "totalDebtUsd", "totalSuppliedUsd", "netWorthUsd", "isDust",
              "riskLevel", "riskLevelReason", "probability7d")
    for name in ("list", "scan", "batch"):
        found = next((each for each in answers[name]["positions"] if each["id"] == own), {})
        for field in fields:
            figures.same(f"{name} agrees with the position", own, found.get(field), position[field])
        figures.same(f"{name} states riskThresholds", own, answers[name].get("riskThresholds"), THRESHOLDS)
    scan = answers["scan"]
    for field in ("totalCollateralUsd", "totalDebtUsd", "totalSuppliedUsd", "netWorthUsd"):
        summed = sum(each[field] for each in scan["positions"])
        figures.number("totals of the scan", own, scan[field], summed)
    portfolio = answers["portfolio"]["portfolio"]
    for field in ("totalCollateralUsd", "totalDebtUsd", "totalSuppliedUsd"):
        figures.number("portfolio totals", own, portfolio[field], position[field])
    figures.number("netWorthUsd of the portfolio", own, portfolio["netWorthUsd"], position["netWorthUsd"])
    figures.number("netWorthUsd of risk/metrics", own, answers["metrics"]["netWorthUsd"], position["netWorthUsd"], 1e-7)
    for name in ("forecast", "what-if", "stress", "score", "repay_debt", "sell_collateral"):
        if name in answers:
            current = answers[name]["currentHealthFactor"]
            figures.same("currentHealthFactor of the simulations", own, current, position["healthFactor"])


def check_forecast(figures, position, answers):
    own, forecast = position["id"], answers["forecast"]
    if position["healthFactor"] is None:
        figures.same("distancePercent", own, forecast["distancePercent"], None)
        return
    weights = formula.Weights(position)
    for asset in {leg["asset"] for leg in position["collateralAssets"] + position["debtAssets"]}:
        expected = weights.liquidation_price(asset)
        figures.number("liquidationPrice", own, forecast["liquidationPrice"].get(asset), expected, 1e-7)
    figures.number("distancePercent", own, forecast["distancePercent"], (1 - 1 / position["healthFactor"]) * 100)
    volatile = weights.volatile_distance()
    figures.number("volatileDistancePercent", own, forecast["volatileDistancePercent"], volatile, 1e-7)
    if "repay_debt" not in answers:
        return
    repay = answers["repay_debt"]
    target = repay["targetHealthFactor"]
    missing = max(0.0, target * weights.debt - weights.weighted)
    figures.number("requiredRepayUsd", own, repay["requiredRepayUsd"], missing / target, 1e-7)
    for asset, usd in repay["addCollateralUsd"].items():
        value, own_weighted, _ = weights.of(lambda other, name=formula.symbol(asset): formula.symbol(other) == name)
        figures.number("addCollateralUsd", own, usd, missing / (own_weighted / value), 1e-7)
    sale = answers["sell_collateral"]["sale"]
    if sale and sale["sellUsd"]:
        cost = (sale["swapFeeBps"] + sale["slippageBps"] + sale["flashPremiumBps"]) / 10_000
        expected = weights.sale(sale["asset"], target, cost)
        figures.number("sellUsd of a sale", own, sale["sellUsd"], expected, 1e-7)
        if answers["sell_collateral"]["feasible"]:
            repaid = answers["sell_collateral"]["requiredRepayUsd"]
            figures.number("repayment by a sale", own, repaid, expected * (1 - cost), 1e-7)
            value, own_weighted, _ = weights.of(
                lambda other: formula.symbol(other) == formula.symbol(sale["asset"])
            )
            after = (weights.weighted - sale["sellUsd"] * own_weighted / value) / (weights.debt - repaid)
            figures.number("health factor after the sale", own, after, target, 1e-7)


def factor_after(position, factors):
    """By Aave's own arithmetic where it is known, else by the legs with the contract's health factor."""
    raw = position["healthFactorRaw"]
    if raw is None:
        return None
    today = formula.aave_health_factors(position)
    if int(raw) in today:
        return formula.aave_health_factors(position, factors)[today.index(int(raw))] / formula.WAD
    return int(raw) / formula.WAD * float(formula.health_factor(position, factors) / formula.health_factor(position))


def worth_after(position, factors):
    """Supplied and owed at the new prices."""
    return [
        sum(float(formula.usd(leg, position)) * factors.get(formula.symbol(leg["asset"]), 1) for leg in legs)
        for legs in (position["collateralAssets"], position["debtAssets"])
    ]


def check_what_if(figures, position, answer, asset):
    own, name = position["id"], formula.symbol(asset)
    for result, change in zip(answer["results"], (WHAT_IF_PERCENT, -WHAT_IF_PERCENT)):
        factors = {name: 1 + change / 100}
        figures.number("health factor of a what-if", own, result["newHealthFactor"], factor_after(position, factors), 1e-8)
        check_loss(figures, "what-if", position, result, factors)
        factor = result["newHealthFactor"]
        basis = result["riskLevelBasis"]
        figures.same("thresholds of a what-if", own, answer["riskThresholds"], THRESHOLDS)
        if basis == "health_factor":
            raw = None if factor is None else str(round(factor * formula.WAD))
            figures.same("level of a what-if", own, result["liquidationRisk"], formula.level(raw, None)[0])
            check_reason(figures, own, result, basis, factor, None, "reason of a what-if")
    both = {name: (1 + WHAT_IF_PERCENT / 100) * (1 - WHAT_IF_PERCENT / 100)}
    combined = answer["combined"]["newHealthFactor"]
    figures.number("combined health factor of a what-if", own, combined, factor_after(position, both), 1e-8)


def check_stress(figures, position, result):
    own = position["id"]
    factors = {formula.symbol(asset): 1 + change / 100 for asset, change in result["shocks"].items()}
    factor = factor_after(position, factors)
    figures.number("health factor of a stress", own, result["healthFactor"], factor, 1e-8)
    figures.same("liquidated in a stress", own, result["liquidated"], factor is not None and factor < 1)
    supplied, owed = worth_after(position, factors)
    figures.number("collateralUsd of a stress", own, result["collateralUsd"], supplied, 1e-7)
    figures.number("debtUsd of a stress", own, result["debtUsd"], owed, 1e-7)
    check_loss(figures, "stress", position, result, factors)


def check_loss(figures, name, position, result, factors):
    """Loss of the owner: the fall of the net worth, with penalty and slippage where it is liquidated, at most the equity."""
    own, loss, split = position["id"], result["estimatedLoss"], result.get("lossSplit")
    supplied, owed = worth_after(position, {})
    after_supplied, after_owed = worth_after(position, factors)
    before = max(0.0, supplied - owed)
    fall = max(0.0, (supplied - owed) - (after_supplied - after_owed))
    figures.same(f"loss within the equity ({name})", own, loss <= before * (1 + 1e-9) + 1e-6, True)
    factor = result.get("newHealthFactor", result.get("healthFactor"))
    is_liquidated = factor is not None and factor < 1
    if not is_liquidated:
        figures.number(f"estimatedLoss of a {name}", own, loss, min(fall, before), 1e-7)
    if split is None:
        return figures.absent(f"lossSplit of a {name}", own)
    parts = [split[part] for part in ("marketLossUsd", "penaltyUsd", "slippageUsd")]
    figures.number(f"lossSplit of a {name}", own, loss, sum(parts), 1e-7)
    figures.same(f"lossSplit of a {name}", own, min(parts + [split["badDebtUsd"]]) >= 0, True)
    if not is_liquidated:
        figures.same(f"lossSplit of a {name}", own, parts[1:] + [split["badDebtUsd"]], [0, 0, 0])
    return None


def check_score(figures, position, score):
    own, factor = position["id"], position["healthFactor"]
    label = next((word for word, edge in (("low", 25), ("moderate", 50), ("high", 75)) if score["riskScore"] < edge), "critical")
    figures.same("label of the risk score", own, score["label"], label)
    if "levelFloor" in score:
        word = LABELS.get(position["riskLevel"], position["riskLevel"])
        figures.same("label of the risk score is the level", own, score["label"], word)
    else:
        figures.absent("label of the risk score is the level", own)
    debts = {}
    for leg in position["debtAssets"]:
        name = formula.symbol(leg["asset"])
        debts[name] = debts.get(name, 0) + float(formula.usd(leg, position))
    owed = sum(debts.values())
    concentration = 100 * sum((each / owed) ** 2 for each in debts.values()) if owed else 0
    figures.number("debtConcentration of the risk score", own, score["factors"]["debtConcentration"], concentration, 1e-7)
    if factor is not None:
        distance = 100 * (1 - log(factor) / log(3)) if factor > 0 else 100
        shown = score["factors"]["healthFactor"]
        figures.number("healthFactor of the risk score", own, shown, min(100.0, max(0.0, distance)), 1e-9)
