-- GET /v1/positions/:id/forecasts reads the forecasts of this index in the order of the list.
CREATE INDEX CONCURRENTLY forecasts_of_position ON forecasts (position_id, slot DESC, horizon_days DESC);
