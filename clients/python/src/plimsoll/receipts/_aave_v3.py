"""Aave v3: pools of revision 1 to 5 (3.0 to 3.2) and 10 (3.6)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Optional

from ._calls import Calls, address_of
from ._differences import Difference
from ._position import RAY, WAD, Figures, Leg, Market, Priced, divide_half_up, divide_up

SECONDS_PER_YEAR = 365 * 24 * 60 * 60
#: 100 % in basis points.
PERCENT_100 = 10_000
_FIRST_REVISIONS = range(1, 6)
_REVISION_3_6 = 10

ADDRESSES_PROVIDER = "0x0542975c"
GET_POOL = "0x026b1d5f"
GET_PRICE_ORACLE = "0xfca513a8"
POOL_REVISION = "0x0148170e"
BASE_CURRENCY_UNIT = "0x8c89b64f"
GET_USER_CONFIGURATION = "0x4417a583"
GET_USER_E_MODE = "0xeddf1b79"
GET_E_MODE_CATEGORY_DATA = "0x6c6f6ae1"
GET_E_MODE_CATEGORY_COLLATERAL_BITMAP = "0xb0771dba"
GET_RESERVES_LIST = "0xd1946dbc"
GET_RESERVE_DATA = "0x35ea6a75"
SCALED_BALANCE_OF = "0x1da24f3e"
GET_TOTAL_SUPPLY_AND_AVG_RATE = "0xf731e9be"
PRINCIPAL_BALANCE_OF = "0xc634dfaa"
GET_USER_STABLE_RATE = "0xe78c9b3b"
GET_USER_LAST_UPDATED = "0x79ce6b8c"
GET_ASSET_PRICE = "0xb3596f07"
GET_SOURCE_OF_ASSET = "0x92bf2be0"


def ray_mul(a: int, b: int) -> int:
    return divide_half_up(a * b, RAY)


def _bits(word: int, start: int, count: int) -> int:
    return word >> start & (1 << count) - 1


class Rules:
    """Revisions 1 to 5."""

    def growth(self, rate: int, seconds: int) -> int:
        """MathUtils.calculateCompoundedInterest: three terms of a binomial series."""
        if seconds == 0:
            return RAY
        squared = ray_mul(rate, rate) // SECONDS_PER_YEAR**2
        cubed = ray_mul(squared, rate) // SECONDS_PER_YEAR
        pairs = seconds * (seconds - 1)
        triples = pairs * max(seconds - 2, 0)
        return RAY + rate * seconds // SECONDS_PER_YEAR + pairs * squared // 2 + triples * cubed // 6

    def supply(self, scaled: int, index: int) -> int:
        return ray_mul(scaled, index)

    def debt(self, scaled: int, index: int) -> int:
        return ray_mul(scaled, index)

    def debt_value(self, amount: int, price: int, unit: int) -> int:
        return amount * price // unit

    def threshold(self, own: int, of_category: Optional[int]) -> int:
        return own if own == 0 or of_category is None else of_category

    def counts(self, own_threshold: int) -> bool:
        """Whether collateral without a threshold of its own is left out."""
        return own_threshold != 0

    def health_factor(self, collateral: int, weighted: int, debt: int) -> int:
        average = weighted // collateral if collateral else 0
        return divide_half_up(divide_half_up(collateral * average, PERCENT_100) * WAD, debt)


class Rules36(Rules):
    """Revision 10: amounts are rounded against the wallet."""

    def growth(self, rate: int, seconds: int) -> int:
        accrued = rate * seconds // SECONDS_PER_YEAR
        return RAY + accrued + ray_mul(accrued, accrued // 2 + ray_mul(accrued, accrued // 6))

    def supply(self, scaled: int, index: int) -> int:
        return scaled * index // RAY

    def debt(self, scaled: int, index: int) -> int:
        return divide_up(scaled * index, RAY)

    def debt_value(self, amount: int, price: int, unit: int) -> int:
        return divide_up(amount * price, unit)

    def threshold(self, own: int, of_category: Optional[int]) -> int:
        return own if of_category is None else of_category

    def counts(self, own_threshold: int) -> bool:
        return True

    def health_factor(self, collateral: int, weighted: int, debt: int) -> int:
        return divide_half_up(weighted * WAD, debt) // PERCENT_100


@dataclass(frozen=True)
class _Category:
    """The e-mode category of the wallet."""

    id: int
    threshold_bps: int
    price_source: str
    #: 0: assets of the category keep their own prices.
    price: int
    #: Reserves of the category as bits. None: each reserve names its category.
    reserves: Optional[int]

    def has(self, reserve_id: int, configuration: int) -> bool:
        if self.reserves is None:
            return _bits(configuration, 168, 8) == self.id
        return _bits(self.reserves, reserve_id, 1) == 1


@dataclass(frozen=True)
class Reserve:
    """A reserve as its pool stores it."""

    configuration: int
    liquidity_index: int
    liquidity_rate: int
    borrow_index: int
    borrow_rate: int
    last_update: int
    id: int
    #: The tokens of supply, stable debt and variable debt.
    tokens: tuple[int, int, int]


@dataclass(frozen=True)
class Pool:
    """A pool of Aave, with the parts in which its versions differ."""

    address: str
    oracle: str
    rules: Rules
    price_decimals: int
    category: Optional[_Category]
    read: Callable[[int], Reserve]


def aave_v3(market: Market, calls: Calls) -> Figures:
    provider = market.contracts.get("addressesProvider") or calls.address(
        market.contract("protocolDataProvider"), ADDRESSES_PROVIDER
    )
    pool = calls.address(provider, GET_POOL)
    oracle = calls.address(provider, GET_PRICE_ORACLE)

    def read(asset: int) -> Reserve:
        data = calls.words(pool, GET_RESERVE_DATA, asset, count=11)
        return Reserve(
            configuration=data[0],
            liquidity_index=data[1],
            liquidity_rate=data[2],
            borrow_index=data[3],
            borrow_rate=data[4],
            last_update=data[6],
            id=data[7],
            tokens=(data[8], data[9], data[10]),
        )

    return pool_figures(
        market,
        calls,
        Pool(
            address=pool,
            oracle=oracle,
            rules=_rules_of(calls.word(pool, POOL_REVISION)),
            price_decimals=len(str(calls.word(oracle, BASE_CURRENCY_UNIT))) - 1,
            category=_category_of(calls, pool, oracle, market.owner),
            read=read,
        ),
    )


def pool_figures(market: Market, calls: Calls, pool: Pool) -> Figures:
    rules, category = pool.rules, pool.category
    marks = calls.word(pool.address, GET_USER_CONFIGURATION, market.owner)
    legs: list[Leg] = []
    collateral = weighted = debt = 0
    for word in calls.list(pool.address, GET_RESERVES_LIST):
        reserve = pool.read(word)
        a_token, stable_token, debt_token = reserve.tokens
        scaled_supply = calls.word(address_of(a_token), SCALED_BALANCE_OF, market.owner)
        scaled_debt = calls.word(address_of(debt_token), SCALED_BALANCE_OF, market.owner)
        principal, stable_debt = _stable_debt(calls, stable_token, market, rules)
        if scaled_supply == scaled_debt == principal == 0:
            continue

        seconds = market.timestamp - reserve.last_update
        supplied_index, owed_index = reserve.liquidity_index, reserve.borrow_index
        if seconds:
            accrued = RAY + reserve.liquidity_rate * seconds // SECONDS_PER_YEAR
            supplied_index = ray_mul(accrued, reserve.liquidity_index)
            owed_index = ray_mul(rules.growth(reserve.borrow_rate, seconds), reserve.borrow_index)
        amount = rules.supply(scaled_supply, supplied_index)
        owed = rules.debt(scaled_debt, owed_index) + stable_debt

        in_category = category is not None and category.has(reserve.id, reserve.configuration)
        if category is not None and in_category and category.price:
            price, source = category.price, category.price_source
        else:
            price = calls.word(pool.oracle, GET_ASSET_PRICE, word)
            source = calls.address(pool.oracle, GET_SOURCE_OF_ASSET, word)
        decimals = _bits(reserve.configuration, 48, 8)
        priced = Priced(address_of(word), decimals, price, pool.price_decimals, source)
        own_threshold = _bits(reserve.configuration, 16, 16)
        threshold = rules.threshold(
            own_threshold, category.threshold_bps if category is not None and in_category else None
        )
        unit = 10**decimals
        is_borrowed, is_collateral = (_bits(marks, 2 * reserve.id + offset, 1) == 1 for offset in (0, 1))
        if is_collateral and rules.counts(own_threshold):
            value = amount * price // unit
            collateral += value
            weighted += value * threshold
        if is_borrowed:
            debt += rules.debt_value(owed, price, unit)
        if scaled_supply:
            secured = priced.secured(amount, threshold)
            legs.append(secured if is_collateral else secured.unmarked())
        if scaled_debt or principal:
            legs.append(priced.owed(owed))
    factor = rules.health_factor(collateral, weighted, debt) if debt else None
    return Figures(legs, collateral, debt, factor)


def _rules_of(revision: int) -> Rules:
    if revision in _FIRST_REVISIONS:
        return Rules()
    if revision == _REVISION_3_6:
        return Rules36()
    raise Difference("formula_unknown", f"the formula has no rules for pools of revision {revision}")


def _category_of(calls: Calls, pool: str, oracle: str, owner: int) -> Optional[_Category]:
    category = calls.word(pool, GET_USER_E_MODE, owner)
    if category == 0:
        return None
    # The place of the structure (32), then ltv, liquidation threshold, bonus and price source.
    words = calls.words(pool, GET_E_MODE_CATEGORY_DATA, category, count=5)
    source = words[4]
    has_bitmaps = calls.attempt(pool, GET_E_MODE_CATEGORY_COLLATERAL_BITMAP, 1) is not None
    return _Category(
        id=category,
        threshold_bps=words[2],
        price_source=address_of(source),
        price=calls.word(oracle, GET_ASSET_PRICE, source) if source else 0,
        reserves=calls.word(pool, GET_E_MODE_CATEGORY_COLLATERAL_BITMAP, category) if has_bitmaps else None,
    )


def _stable_debt(calls: Calls, token: int, market: Market, rules: Rules) -> tuple[int, int]:
    """Return principal and balance of a debt at a stable rate."""
    if token == 0:
        return 0, 0
    address = address_of(token)
    if calls.word(address, GET_TOTAL_SUPPLY_AND_AVG_RATE) == 0:
        return 0, 0
    principal, rate, since = (
        calls.word(address, selector, market.owner)
        for selector in (PRINCIPAL_BALANCE_OF, GET_USER_STABLE_RATE, GET_USER_LAST_UPDATED)
    )
    return principal, ray_mul(principal, rules.growth(rate, market.timestamp - since)) if principal else 0
