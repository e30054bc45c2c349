-- Everything supplied minus everything owed, USD with 18 decimals. Null: no price, and in rows of earlier releases.
ALTER TABLE position_snapshots ADD COLUMN net_worth_usd_raw numeric(78, 0);
