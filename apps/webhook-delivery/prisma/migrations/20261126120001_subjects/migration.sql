-- Id of what the event is about: a position, an alert, a group or an endpoint. Null: an earlier release wrote the row.
ALTER TABLE deliveries ADD COLUMN subject text;
