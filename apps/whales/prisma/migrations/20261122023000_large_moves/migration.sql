-- The newest moves of at least so many USD: without them a list of large ones passes over all small ones.
CREATE INDEX activity_from_10k ON activity (at DESC, block DESC, log_index DESC, id DESC) WHERE usd >= 10000;
CREATE INDEX activity_from_100k ON activity (at DESC, block DESC, log_index DESC, id DESC) WHERE usd >= 100000;
CREATE INDEX activity_from_1m ON activity (at DESC, block DESC, log_index DESC, id DESC) WHERE usd >= 1000000;
CREATE INDEX activity_from_10m ON activity (at DESC, block DESC, log_index DESC, id DESC) WHERE usd >= 10000000;
