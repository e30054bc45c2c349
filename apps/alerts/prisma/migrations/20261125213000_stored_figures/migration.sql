-- The figures of the contract in one text. Null until the first event after this migration; holdings has them until then.
ALTER TABLE positions ADD COLUMN figures text;
