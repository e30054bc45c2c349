-- GET /v1/wallets reads the wallets of an account in the order of the list.
CREATE INDEX CONCURRENTLY watched_wallets_newest ON watched_wallets (account_id, watched_since DESC, address);
