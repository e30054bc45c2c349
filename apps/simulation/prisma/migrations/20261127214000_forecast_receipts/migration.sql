-- The receipts of recorded forecasts: one for each position and slot.
CREATE TABLE forecast_receipts (
  position_id text           COLLATE "C" NOT NULL,
  slot        timestamptz(3) NOT NULL,
  -- JSON that is not signed yet. Null: it is signed, and positions has it.
  content     text,
  -- Null: it is not signed yet.
  hash        text,
  PRIMARY KEY (position_id, slot)
);
CREATE INDEX forecast_receipts_unsigned ON forecast_receipts (slot) WHERE hash IS NULL;
CREATE INDEX forecast_receipts_slot ON forecast_receipts (slot);
