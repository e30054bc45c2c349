-- GET /v1/events with a filter reads the deliveries of its index in the order of the list.
CREATE INDEX CONCURRENTLY deliveries_of_type ON deliveries (webhook_id, event, id DESC);
