"""Ten calls of a client that openapi-python-client generated."""

import os

from generated.api.automation import list_rules
from generated.api.positions import get_position, list_positions
from generated.api.registry import list_chains
from generated.api.simulations import simulate_monte_carlo, simulate_what_if
from generated.api.wallets import watch_wallet
from generated.client import AuthenticatedClient
from generated.models import (
    ChainList,
    InvalidApiKeyProblem,
    InvalidRequestProblem,
    MonteCarloBody,
    NotFoundProblem,
    PositionDetail,
    PositionList,
    PriceScenarioBody,
    RateLimitedProblem,
    TierRequiredProblem,
    WatchedWallet,
    WatchWalletBody,
    WhatIfAnswer,
    WhatIfBody,
)


def client_of(key: str) -> AuthenticatedClient:
    return AuthenticatedClient(
        base_url=os.environ["PLIMSOLL_URL"], token=key, prefix="", auth_header_name="x-api-key"
    )


def main() -> None:
    client = client_of(os.environ["API_KEY"])
    wallet = os.environ["WALLET"]

    chains = list_chains.sync(client=client, limit=2)
    assert isinstance(chains, ChainList)
    print("chains", chains.count, str(chains.next_cursor is not None).lower())

    watched = watch_wallet.sync(client=client, body=WatchWalletBody(address=wallet))
    assert isinstance(watched, WatchedWallet)
    print("wallet", watched.address)

    positions = list_positions.sync(client=client, wallet=wallet)
    assert isinstance(positions, PositionList)
    print("positions", len(positions.positions))

    position = get_position.sync(positions.positions[0].id, client=client)
    assert isinstance(position, PositionDetail)
    symbol = position.collateral_assets[0].asset
    print("position", position.id, symbol)

    scenario = PriceScenarioBody(asset=symbol, price_change_percent=-20)
    what_if = simulate_what_if.sync(
        client=client, body=WhatIfBody(position_id=position.id, scenarios=[scenario])
    )
    assert isinstance(what_if, WhatIfAnswer)
    print("what-if", what_if.results[0].liquidation_risk.value)

    invalid = simulate_monte_carlo.sync(
        client=client, body=MonteCarloBody(position_id=position.id, iterations=0, horizon_days=30)
    )
    assert isinstance(invalid, InvalidRequestProblem) and invalid.errors
    print(invalid.status, invalid.code, invalid.errors[0].field)

    wrong_key = list_chains.sync(client=client_of("psk_live_wrong"))
    assert isinstance(wrong_key, InvalidApiKeyProblem)
    print(wrong_key.status, wrong_key.code)

    low_tier = list_rules.sync(client=client_of(os.environ["OPEN_KEY"]))
    assert isinstance(low_tier, TierRequiredProblem)
    print(low_tier.status, low_tier.code, low_tier.required_tier)

    unknown = get_position.sync("pos_0000000000000000000000", client=client)
    assert isinstance(unknown, NotFoundProblem)
    print(unknown.status, unknown.code)

    # A window of the limit may end between two requests.
    for _ in range(5):
        limited = list_chains.sync(client=client_of(os.environ["LIMITED_KEY"]))
        if isinstance(limited, RateLimitedProblem):
            print(limited.status, limited.code)
            break


main()
