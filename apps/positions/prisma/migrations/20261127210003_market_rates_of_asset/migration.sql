CREATE INDEX CONCURRENTLY market_rates_of_asset ON market_rates (upper(symbol), chain_id, protocol, market, id);
