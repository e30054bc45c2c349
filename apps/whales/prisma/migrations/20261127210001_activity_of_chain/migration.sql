CREATE INDEX CONCURRENTLY activity_of_chain ON activity (chain_id, at DESC, block DESC, log_index DESC, id DESC);
