"""The formulas of docs/model.md in plain Python, apart from the product's code; amounts of chains stay integers."""

from fractions import Fraction
from math import sqrt

WAD = 10**18
FACTOR_EDGES = [("liquidatable", 1.0), ("critical", 1.1), ("high", 1.25), ("moderate", 1.5)]
PROBABILITY_EDGES = [("critical", 0.35), ("high", 0.1), ("moderate", 0.02)]
STABLE = {"USDC", "DAI", "USDT", "USDS", "FRAX", "LUSD", "GHO", "CRVUSD", "PYUSD"}
STAKED = {"STETH": "ETH", "WSTETH": "ETH", "RETH": "ETH", "CBETH": "ETH", "WEETH": "ETH"}


def symbol(asset):
    """ETH and WETH, BTC and WBTC are one price."""
    upper = asset.upper()
    return {"WETH": "ETH", "WBTC": "BTC"}.get(upper, upper)


def family(asset):
    name = symbol(asset)
    return "USD" if name in STABLE else STAKED.get(name, name)


def collateral(position):
    return [leg for leg in position["collateralAssets"] if leg["usedAsCollateral"]]


def tokens(leg):
    return int(leg["amountRaw"]) / 10 ** leg["decimals"]


def usd(leg, position):
    """Exact value of a leg in dollars."""
    raw = int(leg["amountRaw"]) * int(leg["priceRaw"]) * int(position["usdPerBaseRaw"])
    return Fraction(raw, 10 ** (leg["decimals"] + leg["priceDecimals"] + 18))


def total(legs, position):
    return sum((usd(leg, position) for leg in legs), Fraction(0))


def weighted(legs, position, factors=None):
    """Value times liquidation threshold, at prices times the factors."""
    return sum(
        (
            usd(leg, position)
            * Fraction(leg["liquidationThresholdBps"], 10_000)
            * Fraction((factors or {}).get(symbol(leg["asset"]), 1))
            for leg in legs
        ),
        Fraction(0),
    )


def health_factor(position, factors=None):
    """From raw legs; None without debt."""
    owed = sum(
        (usd(leg, position) * Fraction((factors or {}).get(symbol(leg["asset"]), 1)) for leg in position["debtAssets"]),
        Fraction(0),
    )
    return None if owed == 0 else weighted(collateral(position), position, factors) / owed


def aave_health_factors(position, factors=None):
    """Wads by the integer arithmetic of Aave v3.0 and v3.6; None without debt."""
    value = weight = 0
    owed_down = owed_up = 0
    for leg in collateral(position):
        leg_value = int(leg["amountRaw"]) * shocked_price(leg, factors or {}) // 10 ** leg["decimals"]
        value += leg_value
        weight += leg_value * leg["liquidationThresholdBps"]
    for leg in position["debtAssets"]:
        raw = int(leg["amountRaw"]) * shocked_price(leg, factors or {})
        owed_down += raw // 10 ** leg["decimals"]
        owed_up += -(-raw // 10 ** leg["decimals"])
    if owed_down == 0:
        return []
    average = 0 if value == 0 else weight // value
    percent = (value * average + 5_000) // 10_000
    old = (percent * WAD + owed_down // 2) // owed_down
    new = (weight * WAD + owed_up // 2) // owed_up // 10_000
    return [old, new]


def shocked_price(leg, factors):
    factor = factors.get(symbol(leg["asset"]), 1)
    return (int(leg["priceRaw"]) * round(factor * 10**12) * 2 + 10**12) // (2 * 10**12)


def level(raw, probability):
    """Level and basis of a health factor (wad as text, None without debt) and a 7-day probability (None: none decides)."""
    if raw is None:
        return "none", "no_debt"
    factor = Fraction(int(raw), WAD)
    if factor < 1 or probability is None:
        found = next((name for name, edge in FACTOR_EDGES if factor < Fraction(str(edge))), "low")
        return found, "health_factor"
    return next((name for name, edge in PROBABILITY_EDGES if probability >= edge), "low"), "probability_7d"


def moves_together(position):
    held, owed = collateral(position), position["debtAssets"]
    return bool(held and owed) and len({family(leg["asset"]) for leg in held + owed}) == 1


class Weights:
    """W and D of a position, with the contract's own health factor."""

    def __init__(self, position):
        self.position = position
        self.debt = float(total(position["debtAssets"], position))
        summed = float(weighted(collateral(position), position))
        factor = int(position["healthFactorRaw"]) / WAD
        self.scale = factor * self.debt / summed if summed else 0.0
        self.weighted = factor * self.debt

    def of(self, wanted):
        """Value, W and D of the assets that `wanted` takes."""
        held = [leg for leg in collateral(self.position) if wanted(leg["asset"])]
        owed = [leg for leg in self.position["debtAssets"] if wanted(leg["asset"])]
        value = float(total(held, self.position))
        return value, float(weighted(held, self.position)) * self.scale, float(total(owed, self.position))

    def liquidation_price(self, asset):
        """Price at which the health factor is 1 while all others stand still; None where none does it."""
        name = symbol(asset)
        own = [leg for leg in collateral(self.position) if symbol(leg["asset"]) == name]
        owed = [leg for leg in self.position["debtAssets"] if symbol(leg["asset"]) == name]
        units = sum(tokens(leg) * leg["liquidationThresholdBps"] / 10_000 * self.scale for leg in own)
        units -= sum(tokens(leg) for leg in owed)
        _, rest_weighted, rest_debt = self.of(lambda other: symbol(other) != name)
        price = (rest_debt - rest_weighted) / units if units else 0
        return price if price > 0 else None

    def volatile_distance(self):
        """Fall of the volatile collateral alone that liquidates, percent; None without volatile collateral."""
        _, stable, _ = self.of(lambda asset: family(asset) == "USD")
        _, moving, _ = self.of(lambda asset: family(asset) != "USD")
        return None if moving == 0 else (1 - (self.debt - stable) / moving) * 100

    def sale(self, asset, target, cost):
        """Value to sell of one collateral to reach the target; None where no amount does."""
        value, own, _ = self.of(lambda other: symbol(other) == symbol(asset))
        gain = target * (1 - cost) - own / value
        return None if gain <= 0 else (target * self.debt - self.weighted) / gain


def mean(values):
    return sum(values) / len(values)


def median(values):
    ordered = sorted(values)
    middle = len(ordered) // 2
    return ordered[middle] if len(ordered) % 2 else (ordered[middle - 1] + ordered[middle]) / 2


def daily_risk(returns):
    """VaR and CVaR of a day at 95 % (linear quantile, Acerbi and Tasche), volatility and Sharpe ratio of a year."""
    ordered = sorted(returns)
    at = 0.05 * (len(ordered) - 1)
    low = int(at)
    value_at_risk = -(ordered[low] + (at - low) * (ordered[low + 1] - ordered[low]))
    size = 0.05 * len(ordered)
    whole = int(size)
    shortfall = -(sum(ordered[:whole]) + (size - whole) * ordered[whole]) / size
    average = mean(returns)
    deviation = sqrt(sum((each - average) ** 2 for each in returns) / (len(returns) - 1))
    return value_at_risk, shortfall, deviation * sqrt(365), average / deviation * sqrt(365)
