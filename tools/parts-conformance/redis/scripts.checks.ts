import { type RedisCheck, commands, errorCodes } from './check';

export const SCRIPT_CHECKS: readonly RedisCheck[] = [
  commands('EVAL with keys and arguments', [
    'EVAL',
    'return {KEYS[1], ARGV[1], #KEYS, #ARGV}',
    1,
    'k',
    'a',
    'b',
  ]),
  commands(
    'what a script may return',
    ['EVAL', 'return 3.99', 0],
    ['EVAL', 'return -3.99', 0],
    ['EVAL', 'return true', 0],
    ['EVAL', 'return false', 0],
    ['EVAL', 'return nil', 0],
    ['EVAL', "return {1, 'a', {2, false}, nil, 5}", 0],
    ['EVAL', 'return {}', 0],
    ['EVAL', 'return {ok = "FINE"}', 0],
  ),
  commands(
    'what a script gets from commands',
    ['HSET', 'h', 'a', 1],
    [
      'EVAL',
      "return {redis.call('HMGET', KEYS[1], 'a', 'b'), redis.call('SET', 'x', 1), redis.call('GET', 'none') == false, #redis.call('HGETALL', KEYS[1])}",
      1,
      'h',
    ],
  ),
  commands('numbers as arguments of commands', [
    'EVAL',
    "redis.call('SET', 'a', 2^53) redis.call('SET', 'b', 10 / 4) redis.call('SET', 'c', 6 / 2) redis.call('SET', 'd', 0.1) return redis.call('MGET', 'a', 'b', 'c', 'd')",
    0,
  ]),
  commands('arithmetic on arguments', [
    'EVAL',
    'return {ARGV[1] * 1000 + math.floor(ARGV[2] / 1000), ARGV[1] % 7, math.max(1, tonumber(ARGV[2])), math.min(3, 2)}',
    0,
    '1795448249',
    '220123',
  ]),
  commands('tonumber of what is missing', [
    'EVAL',
    "local v = redis.call('HMGET', 'none', 'a') return {tonumber(v[1]) == nil, tonumber('x') == nil, tonumber('12')}",
    0,
  ]),
  errorCodes(
    'errors of scripts',
    ['EVAL', "return redis.call('HGET', 'a')", 0],
    ['EVAL', 'return nonexistent', 0],
    ['EVAL', 'x = 1', 0],
    ['EVAL', "error('no')", 0],
    ['EVAL', 'syntax error', 0],
    ['EVAL', 'return 1', 'x'],
    ['EVAL', 'return 1', 2, 'k'],
  ),
  commands(
    'redis.pcall and error replies',
    ['SET', 'a', 1],
    ['EVAL', "local e = redis.pcall('HGET', 'a', 'f') return e.err", 0],
    ['EVAL', "return redis.error_reply('MY own')", 0],
    ['EVAL', "return redis.status_reply('FINE')", 0],
  ),
  commands(
    'SCRIPT LOAD, EXISTS and EVALSHA',
    ['SCRIPT', 'LOAD', 'return ARGV[1]'],
    ['EVALSHA', '098e0f0d1448c0a81dafe820f66d460eb09263da', 0, 'x'],
    ['SCRIPT', 'EXISTS', '098e0f0d1448c0a81dafe820f66d460eb09263da', 'ffff'],
  ),
  errorCodes('EVALSHA of an unknown script', ['EVALSHA', 'ffffffffffffffffffffffffffffffffffffffff', 0]),
  commands('redis.sha1hex', ['EVAL', "return redis.sha1hex('abc')", 0]),
  {
    name: 'bytes pass through a script',
    run: async ({ client }) => {
      const bytes = Buffer.from(Array.from({ length: 256 }, (_, byte) => byte));
      const reply = await client.callBuffer(
        'EVAL',
        "redis.call('SET', KEYS[1], ARGV[1]) return ARGV[1]",
        '1',
        'k',
        bytes,
      );
      return [Buffer.compare(reply as Buffer, bytes), (await client.getBuffer('k'))?.equals(bytes)];
    },
  },
  {
    name: 'TIME does not change within a script',
    run: async ({ client }) =>
      client.eval(
        "local a = redis.call('TIME') for i = 1, 100000 do end local b = redis.call('TIME') return a[1] == b[1]",
        0,
      ),
  },
  {
    name: 'scripts of several clients run one after the other',
    run: async ({ client, newClient }) => {
      const clients = [client, newClient(), newClient()];
      const script =
        "local v = tonumber(redis.call('GET', 'n') or '0') redis.call('SET', 'n', v + 1) return v";
      const seen = await Promise.all(Array.from({ length: 90 }, (_, i) => clients[i % 3]!.eval(script, 0)));
      return [new Set(seen).size, await client.get('n')];
    },
  },
  {
    name: 'a script that fails half way keeps what it did',
    run: async ({ client }) => {
      await client.eval("redis.call('SET', 'a', 1) error('no')", 0).catch(() => undefined);
      return client.get('a');
    },
  },
];
