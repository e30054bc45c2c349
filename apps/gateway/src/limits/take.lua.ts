/**
 * Takes requests of several subjects, minute and day in one atomic step on the Redis clock.
 * KEYS: one hash per subject. ARGV, five per subject: requests wanted, window offset ms, requests a minute,
 * requests a day (-1: no daily limit), prefix of the fields of its minute (empty for keys, s for sessions).
 * Returns now ms, then four per subject: used, used today, admitted, window end ms.
 * Fields of a hash: w window end, c requests in it, d UTC day, e requests in it.
 */
export const TAKE_LUA = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local day = math.floor(now / 86400000)
local result = { now }
for i, key in ipairs(KEYS) do
  local at = (i - 1) * 5
  local wanted, offset = tonumber(ARGV[at + 1]), tonumber(ARGV[at + 2])
  local perMinute, perDay = tonumber(ARGV[at + 3]), tonumber(ARGV[at + 4])
  local prefix = ARGV[at + 5] or ''
  local windowEnd = now - (now - offset) % 60000 + 60000
  local state = redis.call('HMGET', key, prefix .. 'w', prefix .. 'c', 'd', 'e')
  local used, usedToday = 0, 0
  if tonumber(state[1]) == windowEnd then used = tonumber(state[2]) end
  if tonumber(state[3]) == day then usedToday = tonumber(state[4]) end
  local admitted = math.min(wanted, perMinute - used)
  if perDay >= 0 then admitted = math.min(admitted, perDay - usedToday) end
  admitted = math.max(admitted, 0)
  if admitted > 0 then
    redis.call('HSET', key, prefix .. 'w', windowEnd, prefix .. 'c', used + admitted, 'd', day, 'e', usedToday + admitted)
    redis.call('PEXPIREAT', key, math.max(windowEnd, (day + 1) * 86400000))
  end
  result[#result + 1] = used
  result[#result + 1] = usedToday
  result[#result + 1] = admitted
  result[#result + 1] = windowEnd
end
return result
`;
