/**
 * Reserves one of an account's connections, in one atomic step on the Redis clock.
 * KEYS: hash of the account (instance → its open connections), hash of the instances (instance → last seen,
 * ms).
 * ARGV: instance, connections of an account, ms for which an unseen instance counts, ms for which the
 * account's hash is kept.
 * Returns 1 for a reserved connection, 0 when none is left, -1 when none is left and other instances hold
 * some.
 */
export const ACQUIRE_CONNECTION_LUA = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local counts = redis.call('HGETALL', KEYS[1])
local own, open = 0, 0
for at = 1, #counts, 2 do
  local count = tonumber(counts[at + 1])
  if counts[at] == ARGV[1] then
    own = count
    open = open + count
  else
    local seen = redis.call('HGET', KEYS[2], counts[at])
    if seen and now - tonumber(seen) < tonumber(ARGV[3]) then
      open = open + count
    else
      redis.call('HDEL', KEYS[1], counts[at])
    end
  end
end
if open >= tonumber(ARGV[2]) then
  if open > own then return -1 end
  return 0
end
redis.call('HINCRBY', KEYS[1], ARGV[1], 1)
redis.call('PEXPIRE', KEYS[1], ARGV[4])
return 1
`;

/**
 * Shows that an instance is alive and what it holds, so that Redis recovers lost counts.
 * KEYS: hash of the instances, then the hash of each account.
 * ARGV: instance, ms after which an instance is removed, ms for which an account's hash is kept, then the
 * open connections of each account.
 */
export const REPORT_CONNECTIONS_LUA = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
redis.call('HSET', KEYS[1], ARGV[1], now)
local instances = redis.call('HGETALL', KEYS[1])
for at = 1, #instances, 2 do
  if now - tonumber(instances[at + 1]) > tonumber(ARGV[2]) then redis.call('HDEL', KEYS[1], instances[at]) end
end
for at = 2, #KEYS do
  local count = tonumber(ARGV[at + 2])
  if count > 0 then
    redis.call('HSET', KEYS[at], ARGV[1], count)
    redis.call('PEXPIRE', KEYS[at], ARGV[3])
  else
    redis.call('HDEL', KEYS[at], ARGV[1])
  end
end
return 1
`;
