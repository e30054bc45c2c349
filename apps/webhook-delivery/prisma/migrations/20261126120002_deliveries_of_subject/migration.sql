CREATE INDEX CONCURRENTLY deliveries_of_subject ON deliveries (webhook_id, subject, id DESC)
  WHERE subject IS NOT NULL;
