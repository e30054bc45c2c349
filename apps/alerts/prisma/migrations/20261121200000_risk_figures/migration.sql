-- What rules on the risk of a position look at: asked of the simulation service from time to time.
ALTER TABLE positions
  ADD COLUMN risk_score            double precision,
  ADD COLUMN liquidation_probability double precision,
  ADD COLUMN risk_at               timestamptz(3);
ALTER TABLE position_history
  ADD COLUMN risk_score            double precision,
  ADD COLUMN liquidation_probability double precision;
CREATE INDEX rules_on_risk ON rules (position_id)
  WHERE is_active AND condition_type IN ('risk_score_above', 'liquidation_probability_above');
