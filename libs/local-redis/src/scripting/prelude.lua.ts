/**
 * The environment of a script besides Lua itself. A call between Lua and JavaScript costs more than the text
 * of a few arguments, so everything crosses as one string in each direction (`script-codec.ts` is the other
 * side):
 *
 * - arguments: `<bytes>:<text>` each
 * - a reply: `n` null, `t` true, `i<number>;` integer, `s<bytes>:<text>` text, `o<bytes>:<text>` status,
 *   `e<bytes>:<text>`
 * error, `a<count>;<items>` list
 *
 * Globals are read-only, as in Redis, so that no script leaves state for the next one.
 */
export const PRELUDE_LUA = `
local dispatch, sha1hex, deadlineError = ...
local load, error, type, select, pcall, tostring = load, error, type, select, pcall, tostring
local byte, find, sub, format, concat = string.byte, string.find, string.sub, string.format, table.concat
local mathType, modf = math.type, math.modf

local function argument(value)
  local kind = type(value)
  if kind == 'number' then value = format(mathType(value) == 'integer' and '%d' or '%.17g', value)
  elseif kind ~= 'string' then return nil end
  return #value .. ':' .. value
end

local function decode(text, at)
  local tag = sub(text, at, at)
  if tag == 'n' then return false, at + 1 end
  local _, stop, number = find(text, '^(-?%d+)[:;]', at + 1)
  number = number + 0
  if tag == 'i' then return number, stop + 1 end
  if tag == 'a' then
    local list = {}
    at = stop + 1
    for index = 1, number do list[index], at = decode(text, at) end
    return list, at
  end
  local value = sub(text, stop + 1, stop + number)
  if tag == 'o' then value = { ok = value } elseif tag == 'e' then value = { err = value } end
  return value, stop + number + 1
end

local function texts(text)
  local list, at = {}, 1
  while at <= #text do
    local _, stop, size = find(text, '^(%d+):', at)
    list[#list + 1] = sub(text, stop + 1, stop + size)
    at = stop + size + 1
  end
  return list
end

local function encode(value, depth)
  local kind = type(value)
  if kind == 'string' then return 's' .. #value .. ':' .. value end
  if kind == 'number' then return format('i%.0f;', (modf(value))) end
  if kind == 'boolean' then return value and 't' or 'n' end
  if kind ~= 'table' or depth > 64 then return 'n' end
  if type(value.err) == 'string' then return 'e' .. #value.err .. ':' .. value.err end
  if type(value.ok) == 'string' then return 'o' .. #value.ok .. ':' .. value.ok end
  local parts, count = {}, 0
  while value[count + 1] ~= nil do
    count = count + 1
    parts[count] = encode(value[count], depth + 1)
  end
  return 'a' .. count .. ';' .. concat(parts)
end

local function command(...)
  local parts = {}
  for index = 1, select('#', ...) do
    local part = argument((select(index, ...)))
    if part == nil then return { err = 'ERR Lua redis lib command arguments must be strings or integers' } end
    parts[index] = part
  end
  if #parts == 0 then return { err = 'ERR Please specify at least one argument for this redis.call call' } end
  return (decode(dispatch(concat(parts)), 1))
end

redis = {
  LOG_DEBUG = 0, LOG_VERBOSE = 1, LOG_NOTICE = 2, LOG_WARNING = 3,
  pcall = command,
  call = function(...)
    local reply = command(...)
    if type(reply) == 'table' and reply.err ~= nil then error(reply, 0) end
    return reply
  end,
  error_reply = function(text) return { err = text } end,
  status_reply = function(text) return { ok = text } end,
  sha1hex = function(text) return sha1hex(text) end,
  log = function() end,
}
unpack = table.unpack
math.pow = function(x, y) return x ^ y end
io, os, package, require, dofile, loadfile, debug, collectgarbage, print, null, coroutine, xpcall = nil

local function passOn(ok, result, ...)
  -- The end of a script's time cannot be caught.
  if not ok and result == deadlineError then error(result, 0) end
  return ok, result, ...
end
_G.pcall = function(...) return passOn(pcall(...)) end

setmetatable(_G, {
  __index = function(_, name)
    error("Script attempted to access nonexistent global variable '" .. tostring(name) .. "'", 2)
  end,
  __newindex = function(_, name)
    error("Attempt to modify a readonly table script: '" .. tostring(name) .. "'", 2)
  end,
})

local function compile(source)
  return load('local KEYS, ARGV = ... ' .. source, '@user_script')
end

local function run(script, keys, args)
  local ok, result = pcall(script, texts(keys), texts(args))
  if ok then return encode(result, 0) end
  if type(result) == 'table' and type(result.err) == 'string' then return 'f' .. #result.err .. ':' .. result.err end
  result = 'ERR ' .. tostring(result)
  return 'f' .. #result .. ':' .. result
end

return compile, run
`;
