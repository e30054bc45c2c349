-- Since when prices meet a condition that has not lasted long enough to open.
ALTER TABLE asset_conditions ADD COLUMN began_at timestamptz(3);
