CREATE INDEX CONCURRENTLY positions_of_oracle ON positions USING gin (oracles);
