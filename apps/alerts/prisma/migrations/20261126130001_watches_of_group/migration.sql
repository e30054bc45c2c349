CREATE INDEX CONCURRENTLY watches_of_group ON watches USING gin (group_ids);
