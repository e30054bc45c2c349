CREATE INDEX CONCURRENTLY watched_wallets_of_group ON watched_wallets USING gin (group_ids);
