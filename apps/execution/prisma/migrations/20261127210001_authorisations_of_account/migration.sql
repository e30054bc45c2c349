CREATE INDEX CONCURRENTLY authorisations_of_account ON authorisations (account_id, at DESC, id DESC);
