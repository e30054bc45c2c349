-- GET /v1/markets/rates with one filter reads the rates of its index in the order of the list.
CREATE INDEX CONCURRENTLY market_rates_of_protocol ON market_rates (protocol, chain_id, market, id);
