-- GET /v1/whales/activity with one filter reads the rows of its index in the order of the list.
CREATE INDEX CONCURRENTLY activity_of_protocol ON activity (protocol, at DESC, block DESC, log_index DESC, id DESC);
