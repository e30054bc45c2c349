-- Who sent a wallet the first of the chain's own coin, which is not logged. Null: no transaction did, or a service.
CREATE TABLE native_funders (
  chain_id bigint NOT NULL,
  wallet   text   NOT NULL,
  funder   text,
  block    bigint NOT NULL,
  PRIMARY KEY (chain_id, wallet)
);
CREATE INDEX native_funders_of_block ON native_funders (chain_id, block);
