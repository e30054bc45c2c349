CREATE INDEX CONCURRENTLY activity_of_action ON activity (action, at DESC, block DESC, log_index DESC, id DESC);
