"""Writes reference cases from numpy, scipy and QuantLib, without any of the formulas of libs/risk-math.

Roots are found by bracketing, first-passage probabilities are prices of one-touch options, statistics are numpy's own.
usage: python generate.py          (all but monte_carlo_multi.json, which brute_force.py writes)
"""
import json
import pathlib

import numpy as np
import QuantLib as ql
from scipy import optimize, stats

HERE = pathlib.Path(__file__).parent
rng = np.random.default_rng(20261121)

# asset: price, threshold, bonus
ASSETS = {
    "WETH": (3200.0, 0.83, 0.05),
    "wstETH": (3840.0, 0.81, 0.06),
    "WBTC": (95000.0, 0.78, 0.05),
    "LINK": (18.5, 0.68, 0.07),
    "AAVE": (170.0, 0.76, 0.075),
    "UNI": (9.4, 0.65, 0.1),
    "USDC": (1.0, 0.78, 0.045),
    "DAI": (0.9998, 0.77, 0.05),
}
STABLE = {"USDC", "DAI", "GHO", "USDT"}
DEBTS = {"USDC": 1.0, "DAI": 0.9998, "GHO": 0.999, "USDT": 1.0002, "WETH": 3200.0, "WBTC": 95000.0}


class Plain(json.JSONEncoder):
    """numpy's scalars as JSON's."""

    def default(self, o):
        return o.item()


def save(name, file):
    (HERE / f"{name}.json").write_text(json.dumps(file, indent=1, cls=Plain) + "\n")
    print(name, len(file["cases"]) + len(file.get("daysToLiquidation", [])))


def pick(names, most):
    return [str(a) for a in rng.choice(list(names), size=int(rng.integers(1, most + 1)), replace=False)]


def position(hf=None, emode=False):
    """A random position; with hf, its debts are scaled to about that health factor."""
    if emode:
        names, owed = ["wstETH"], ["WETH"]
    else:
        names, owed = pick(ASSETS, 4), pick(DEBTS, 2)
    values = rng.lognormal(10, 1, len(names))
    collateral = [
        {
            "asset": a,
            "amount": round(v / ASSETS[a][0], 6),
            "priceUsd": ASSETS[a][0],
            "liquidationThreshold": 0.95 if emode else ASSETS[a][1],
            "liquidationBonus": 0.01 if emode else ASSETS[a][2],
        }
        for a, v in zip(names, values)
    ]
    hf = hf or float(rng.choice([0.9, 0.97, 1.0, 1.02, 1.08, 1.15, 1.3, 1.6, 2.2, 3.5]))
    weighted = sum(leg["amount"] * leg["priceUsd"] * leg["liquidationThreshold"] for leg in collateral)
    shares = rng.dirichlet(np.ones(len(owed)))
    debt = [
        {"asset": a, "amount": round(weighted / hf * s / DEBTS[a], 6), "priceUsd": DEBTS[a]}
        for a, s in zip(owed, shares)
    ]
    return {"collateral": collateral, "debt": debt, "emode": emode}


def vectors(p, moves=None):
    """Value, threshold and debt value as arrays, under factors by asset."""
    moves = moves or {}
    value = np.array([c["amount"] * c["priceUsd"] * moves.get(c["asset"], 1.0) for c in p["collateral"]])
    threshold = np.array([c["liquidationThreshold"] for c in p["collateral"]])
    debt = np.array([d["amount"] * d["priceUsd"] * moves.get(d["asset"], 1.0) for d in p["debt"]])
    return value, threshold, debt


def health(p, moves=None):
    value, threshold, debt = vectors(p, moves)
    return float(value @ threshold / debt.sum())


def health_factors(count):
    for i in range(count):
        p = position(emode=i % 9 == 0)
        value, threshold, debt = vectors(p)
        hf = health(p)
        yield {
            "id": f"hf_{i:03d}",
            "position": p,
            "expected": {
                "totalCollateralUsd": value.sum(),
                "totalDebtUsd": debt.sum(),
                "healthFactor": hf,
                "weightedLiquidationThreshold": np.average(threshold, weights=value),
                "ltv": debt.sum() / value.sum(),
                "netWorthUsd": value.sum() - debt.sum(),
                "liquidatable": hf < 1,
            },
        }


def what_ifs(count):
    for i in range(count):
        p = position()
        held = [leg["asset"] for leg in p["collateral"] + p["debt"]]
        scenarios = [
            {"asset": str(rng.choice(held)), "priceChangePercent": float(rng.choice([-99, -50, -35, -12.5, -1, 5, 40, 300]))}
            for _ in range(rng.integers(1, 4))
        ]
        value0, _, debt0 = vectors(p)

        def after(moves):
            value, _, debt = vectors(p, moves)
            hf = health(p, moves)
            before, now = value0.sum() - debt0.sum(), value.sum() - debt.sum()
            return {
                "newHealthFactor": hf,
                "liquidated": hf < 1,
                "netWorthBefore": before,
                "netWorthAfter": now,
                "equityLossUsd": max(0.0, before - now),
                "collateralUsd": value.sum(),
                "debtUsd": debt.sum(),
            }

        combined = {}
        for s in scenarios:
            combined[s["asset"]] = combined.get(s["asset"], 1.0) * (1 + s["priceChangePercent"] / 100)
        together = after(combined)
        yield {
            "id": f"wi_{i:03d}",
            "position": p,
            "scenarios": scenarios,
            "expected_each_scenario_applied_alone": [
                after({s["asset"]: 1 + s["priceChangePercent"] / 100}) for s in scenarios
            ],
            "expected_all_combined": {k: together[k] for k in ("newHealthFactor", "equityLossUsd")},
        }


def root(f, low=1e-9, high=1e6):
    """The zero of f on a logarithmic bracket, or None."""
    if np.sign(f(low)) == np.sign(f(high)):
        return None
    return float(np.exp(optimize.brentq(lambda x: f(np.exp(x)), np.log(low), np.log(high), xtol=1e-15, rtol=1e-15)))


def surplus(p, moves):
    value, threshold, debt = vectors(p, moves)
    return value @ threshold - debt.sum()


def liquidation_prices(count):
    for i in range(count):
        p = position()

        def price(leg):
            factor = root(lambda k: surplus(p, {leg["asset"]: k}))
            return None if factor is None else factor * leg["priceUsd"]

        value, threshold, debt = vectors(p)
        fall = optimize.brentq(lambda k: k * (value @ threshold) - debt.sum(), 1e-9, 1e6, xtol=1e-15)
        expected = {
            "healthFactor": health(p),
            "liquidationPriceCollateralAlone": {c["asset"]: price(c) for c in p["collateral"]},
            "liquidationPriceDebtAloneUpward": {d["asset"]: price(d) for d in p["debt"]},
            "distancePercent_uniform_collateral_drop": (1 - fall) * 100,
        }
        moving = {leg["asset"] for leg in p["collateral"] + p["debt"]} - STABLE
        scale = root(lambda k: surplus(p, {a: k for a in moving})) if moving else None
        if scale is not None:
            expected["volatileScaleAtLiquidation"] = scale
        yield {"id": f"lp_{i:03d}", "position": p, "expected": expected}


def liquidation_calls(count):
    for i in range(count):
        p = position(float(rng.choice([1.05, 1.2, 1.5])))
        if i % 4 == 0:  # small reserves, which are closed whole
            for leg in p["collateral"] + p["debt"]:
                leg["amount"] = round(leg["amount"] / 40, 8)
        target = float(rng.choice([0.999, 0.97, 0.951, 0.94, 0.9, 0.7, 1.1]))
        shock = round(target / health(p) - 1, 6)
        value, threshold, debt = vectors(p, {})
        value = value * (1 + shock)
        hf = float(value @ threshold / debt.sum())
        c, d = int(np.argmax(value)), int(np.argmax(debt))
        expected = {"healthFactor": hf, "liquidatable": hf < 1}
        if hf < 1:
            full = hf <= 0.95 or debt[d] < 2000 or value[c] < 2000
            bonus = p["collateral"][c]["liquidationBonus"]
            repay = debt[d] if full else min(debt[d], 0.5 * debt.sum())
            seize = min(repay * (1 + bonus), value[c])
            repay = min(repay, seize / (1 + bonus))
            expected |= {
                "collateralAsset": p["collateral"][c]["asset"],
                "debtAsset": p["debt"][d]["asset"],
                "closeFactor": 1.0 if full else 0.5,
                "repayUsd": repay,
                "seizeUsd": seize,
                "penaltyUsd": seize - repay,
                "badDebt": bool(np.isclose(seize, value.sum(), rtol=1e-12) and debt.sum() - repay > 1e-9 * debt.sum()),
            }
        yield {"id": f"lq_{i:03d}", "position": p, "collateralShock": shock, "expected": expected}


def deleverages(count):
    for i in range(count):
        p = position(float(rng.choice([0.98, 1.05, 1.15, 1.3, 1.6])))
        target = float(rng.choice([1.05, 1.2, 1.5, 2.0, 2.5, 6.0]))
        fee, slippage = float(rng.choice([0, 0.0005, 0.0009])), float(rng.choice([0.001, 0.003, 0.01]))
        value, threshold, debt = vectors(p)
        weighted, owed = value @ threshold, debt.sum()
        leg = int(rng.integers(len(value)))
        kept = 1 - fee - slippage
        reached = weighted / owed >= target

        def after_sale(sold):
            return weighted - threshold[leg] * sold - target * (owed - sold * kept)

        slope = after_sale(1.0) - after_sale(0.0)
        repay = 0.0 if reached else optimize.brentq(lambda r: weighted - target * (owed - r), 0, owed, xtol=1e-12)
        if reached:
            sold, feasible = 0.0, True
        elif slope <= 0:
            sold, feasible = None, False
        else:
            sold = optimize.brentq(after_sale, 0, 1e12, xtol=1e-9, rtol=1e-15)
            feasible = bool(sold <= value[leg])
        add = 0.0 if reached else optimize.brentq(
            lambda a: weighted + threshold[leg] * a - target * owed, 0, 1e12, xtol=1e-9, rtol=1e-15
        )
        asset = p["collateral"][leg]["asset"]
        yield {
            "id": f"dl_{i:03d}",
            "position": p,
            "targetHealthFactor": target,
            "expected": {
                "currentHealthFactor": weighted / owed,
                "requiredRepayUsd": repay,
                "hf_after_repay": weighted / (owed - repay),
                "sell_collateral": {
                    "asset": asset,
                    "flashFee": fee,
                    "slippage": slippage,
                    "sellUsd": sold,
                    "repayUsd": None if sold is None else sold * kept,
                    "feasible": feasible,
                },
                "addCollateralUsd": {"asset": asset, "usd": add},
            },
        }


SHOCKS = {
    "march_2020": {"WETH": -54.6, "WBTC": -46.0, "LINK": -54.1},
    "luna_2022": {"WETH": -28.7, "WBTC": -20.6, "LINK": -39.9, "AAVE": -45.6, "UNI": -36.4},
    "usdc_depeg_2023": {"USDC": -12.0, "DAI": -12.0, "WETH": -6.9, "WBTC": -7.2},
}


def stress_tests(count):
    for i in range(count):
        p = position()
        expected = {}
        for name, table in SHOCKS.items():
            moves = {a: 1 + s / 100 for a, s in {**table, "wstETH": table["WETH"]}.items()}
            hf = health(p, moves)
            expected[name] = {"healthFactor": hf, "liquidated": hf < 1}
        yield {"id": f"st_{i:03d}", "position": p, "expected": expected}


TODAY = ql.Date(1, 1, 2026)
ql.Settings.instance().evaluationDate = TODAY
DAY_COUNT = ql.Actual365Fixed()


def one_touch(hf0, growth, sigma, days):
    """P(HF touches 1): an undiscounted one-touch option on a log-normal asset of this growth, priced by QuantLib."""
    flat = lambda rate: ql.YieldTermStructureHandle(ql.FlatForward(TODAY, rate, DAY_COUNT))
    process = ql.BlackScholesMertonProcess(
        ql.QuoteHandle(ql.SimpleQuote(hf0)),
        flat(-growth),
        flat(0.0),
        ql.BlackVolTermStructureHandle(ql.BlackConstantVol(TODAY, ql.NullCalendar(), sigma, DAY_COUNT)),
    )
    option = ql.VanillaOption(
        ql.CashOrNothingPayoff(ql.Option.Put, 1.0, 1.0), ql.AmericanExercise(TODAY, TODAY + int(days), True)
    )
    option.setPricingEngine(ql.AnalyticDigitalAmericanEngine(process))
    return option.NPV()


def first_passages(count):
    for i in range(count):
        hf0 = float(rng.choice([1.02, 1.05, 1.1, 1.25, 1.4, 1.8, 2.5]))
        days = int(rng.choice([1, 7, 30, 90, 365]))
        if i % 2 == 0:
            sigma, mu = float(rng.choice([0.05, 0.4, 0.75, 1.2])), float(rng.choice([-0.4, 0.0, 0.3]))
            inputs = {"kind": "single volatile collateral, stable debt", "hf0": hf0, "sigma": sigma, "mu": mu, "days": days}
            s, nu = sigma, mu - sigma**2 / 2
        else:
            c, d = float(rng.choice([0.4, 0.75])), float(rng.choice([0.3, 0.75]))
            rho = float(rng.choice([-0.2, 0.0, 0.8, 0.98]))
            inputs = {
                "kind": "ratio: volatile collateral, volatile debt",
                "hf0": hf0,
                "sigmaC": c,
                "sigmaD": d,
                "rho": rho,
                "muC": 0.1,
                "muD": 0.0,
                "days": days,
            }
            s, nu = float(np.sqrt(c * c + d * d - 2 * rho * c * d)), 0.1 - c * c / 2 + d * d / 2
        law = stats.lognorm(s=s * np.sqrt(days / 365), scale=hf0 * np.exp(nu * days / 365))
        yield {
            **inputs,
            "liquidationProbability": one_touch(hf0, nu + s * s / 2, s, days),
            "terminalHealthFactor": {f"p{q}": float(law.ppf(q / 100)) for q in (5, 50, 95)},
        }


def days_to_liquidation(count):
    for _ in range(count):
        hf0, sigma = float(rng.choice([1.05, 1.2, 1.5, 2.0])), float(rng.choice([0.1, 0.4, 0.75, 1.1]))
        quantile = float(rng.choice([0.05, 0.25, 0.5]))
        reached = lambda t: touched_by(hf0, sigma, t) - quantile
        days = None if reached(3650) < 0 else optimize.brentq(reached, 1e-6, 3650, xtol=1e-13, rtol=1e-15)
        yield {"hf0": hf0, "sigma": sigma, "quantile": quantile, "days": days}


def touched_by(hf0, sigma, days):
    """P(a driftless price touches by then): the distribution function of its first passage, an inverse Gaussian."""
    b, nu, t = np.log(hf0), -sigma**2 / 2, days / 365
    # Towards the barrier the drift is positive: the passage is certain and its law is a proper inverse Gaussian.
    mean = b / -nu
    shape = (b / sigma) ** 2
    return float(stats.invgauss.cdf(t, mu=mean / shape, scale=shape))


def percentile_cases(count):
    for i in range(count):
        n = int(rng.choice([1, 2, 3, 7, 20, 21, 100, 1000]))
        values = np.round(rng.lognormal(0.3, 0.4, n), 6)
        named = lambda method: {f"p{q}": float(np.percentile(values, q, method=method)) for q in (5, 50, 95)}
        yield {"n": n, "values": values.tolist(), "type7": named("linear"), "inverted_cdf": named("inverted_cdf")}


def risk_metrics(count):
    for i in range(count):
        n = int(rng.choice([60, 180, 365, 730]))
        r = np.round(stats.t.rvs(df=4, size=n, random_state=rng) * 0.025 + 0.0005, 10)
        ordered, k = np.sort(r), 0.05 * n
        whole = int(np.floor(k + 1e-9))
        tail = (ordered[:whole].sum() + (k - whole) * ordered[min(whole, n - 1)]) / k
        quantile, sd, z = np.quantile(r, 0.05), r.std(ddof=1), stats.norm.ppf(0.05)
        variance = float(np.mean(r[:60] ** 2))
        for value in r:
            variance = 0.94 * variance + 0.06 * value**2
        yield {
            "id": f"returns_{i:02d}",
            "returns": r.tolist(),
            "expected": {
                "n": n,
                "var95_historical_linear": -quantile,
                "var95_historical_weibull": -np.quantile(r, 0.05, method="weibull"),
                "var95_historical_inverted_cdf": -np.quantile(r, 0.05, method="inverted_cdf"),
                "cvar95_acerbi_tasche": -tail,
                "cvar95_tail_mean_leq_linear_quantile": -r[r <= quantile].mean(),
                "var95_parametric_normal": -(r.mean() + z * sd),
                "cvar95_parametric_normal": -r.mean() + sd * stats.norm.pdf(z) / 0.05,
                "volatility_annual_365": sd * np.sqrt(365),
                "sharpe_annual_365_rf0": r.mean() / sd * np.sqrt(365),
                "ewma94_vol_annual_365": np.sqrt(variance * 365),
                "var95_usd_historical_linear": -quantile * 100000,
                "cvar95_usd": -tail * 100000,
            },
        }


if __name__ == "__main__":
    save("health_factor", {"title": "health factor", "tolerance_rel": 1e-12, "cases": list(health_factors(90))})
    save("what_if", {"title": "what-if", "tolerance_rel": 1e-11, "cases": list(what_ifs(80))})
    save("liquidation_price", {"title": "liquidation price", "tolerance_rel": 1e-9, "cases": list(liquidation_prices(80))})
    save("liquidation_call", {"title": "liquidation call loss", "tolerance_rel": 1e-10, "cases": list(liquidation_calls(70))})
    save("deleverage", {"title": "deleverage", "tolerance_rel": 1e-9, "cases": list(deleverages(70))})
    save(
        "stress_test",
        {
            "title": "stress test",
            "shocksPercent": SHOCKS,
            "rule": "asset without an entry: wstETH uses WETH; others 0",
            "tolerance_rel": 1e-12,
            "cases": list(stress_tests(40)),
        },
    )
    save(
        "first_passage",
        {
            "title": "first-passage liquidation probability (continuous monitoring)",
            "tolerance_abs_closed_form": 1e-9,
            "cases": list(first_passages(90)),
            "daysToLiquidation": list(days_to_liquidation(40)),
        },
    )
    save("percentiles", {"title": "percentiles", "tolerance_abs": 1e-12, "cases": list(percentile_cases(30))})
    save("risk_metrics", {"title": "VaR/CVaR/vol/Sharpe", "tolerance_rel": 1e-9, "cases": list(risk_metrics(12))})
