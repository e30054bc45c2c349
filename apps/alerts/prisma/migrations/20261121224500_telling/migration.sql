-- More hold the asset than one transaction tells: the others are told by those that follow.
ALTER TABLE asset_conditions ADD COLUMN is_telling boolean NOT NULL DEFAULT false;
