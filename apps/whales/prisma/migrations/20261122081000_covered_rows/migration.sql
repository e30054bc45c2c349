-- Rows of the registry, by what of them is read: the blocks before the cursor whose logs are still to be read for them,
-- from next_block to last_block. Covered when next_block is above it.
CREATE TABLE row_backfills (
  chain_id   bigint NOT NULL,
  row_key    text   NOT NULL,
  next_block bigint NOT NULL,
  last_block bigint NOT NULL,
  PRIMARY KEY (chain_id, row_key)
);
