CREATE INDEX CONCURRENTLY market_rates_of_market ON market_rates (market, chain_id, protocol, id);
