-- It allowed a position one active alert about an asset, so only one announced change could have had one.
DROP INDEX alerts_one_active_of_each_kind;
