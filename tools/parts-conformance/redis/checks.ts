import type Redis from 'ioredis';

export interface RedisContext {
  /** A client of an empty Redis. */
  client: Redis;
  /** Another connection to the same Redis; the runner closes it. */
  newClient(): Redis;
}

/** Something that our code could observe: what it gives must be the same on every Redis. */
export interface RedisCheck {
  name: string;
  run(context: RedisContext): Promise<unknown>;
}

type Command = readonly (string | number)[];

/** What a command gives, or the text of its error. */
async function outcome(client: Redis, [name, ...args]: Command): Promise<unknown> {
  try {
    return await client.call(String(name), ...args.map(String));
  } catch (error) {
    return { error: (error as Error).message };
  }
}

/** A check that runs commands in order and compares all they give. */
function commands(name: string, ...list: Command[]): RedisCheck {
  return {
    name,
    run: async ({ client }) => {
      const results: unknown[] = [];
      for (const command of list) results.push(await outcome(client, command));
      return results;
    },
  };
}

/** As `commands`, of errors their code alone: later versions of Redis add words to some texts. */
function errorCodes(name: string, ...list: Command[]): RedisCheck {
  return {
    name,
    run: async ({ client }) => {
      const codes: unknown[] = [];
      for (const command of list) {
        const result = await outcome(client, command);
        codes.push(
          typeof result === 'object' && result !== null && 'error' in result
            ? String(result.error).split(' ')[0]
            : result,
        );
      }
      return codes;
    },
  };
}

/** A remaining time in ms, to a tenth of its size: two servers are asked at slightly different moments. */
const about = (leftMs: unknown, expectedMs: number): boolean =>
  Number(leftMs) <= expectedMs && Number(leftMs) > expectedMs * 0.9;

const delay = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

export const REDIS_CHECKS: readonly RedisCheck[] = [
  commands('SET and GET', ['SET', 'a', '1'], ['GET', 'a'], ['GET', 'none']),
  commands('SET NX', ['SET', 'a', '1', 'NX'], ['SET', 'a', '2', 'NX'], ['GET', 'a']),
  commands('SET XX', ['SET', 'a', '1', 'XX'], ['SET', 'a', '1'], ['SET', 'a', '2', 'XX'], ['GET', 'a']),
  commands(
    'SET GET gives the value before',
    ['SET', 'a', '1', 'GET'],
    ['SET', 'a', '2', 'GET'],
    ['GET', 'a'],
  ),
  commands('SET removes an expiry time', ['SET', 'a', '1', 'EX', 100], ['SET', 'a', '2'], ['TTL', 'a']),
  commands('SET KEEPTTL', ['SET', 'a', '1', 'EX', 100], ['SET', 'a', '2', 'KEEPTTL'], ['TTL', 'a']),
  errorCodes('SET with a wrong expiry time', ['SET', 'a', '1', 'EX', 0], ['SET', 'a', '1', 'PX', -1]),
  commands(
    'SET with wrong options',
    ['SET', 'a', '1', 'NX', 'XX'],
    ['SET', 'a', '1', 'WHAT'],
    ['SET', 'a', '1', 'EX'],
  ),
  commands('SET with a number that is none', ['SET', 'a', '1', 'EX', 'x'], ['SET', 'a', '1', 'EX', '1.5']),
  errorCodes(
    'SETNX, SETEX and PSETEX',
    ['SETNX', 'a', 1],
    ['SETNX', 'a', 2],
    ['SETEX', 'b', 10, 'x'],
    ['TTL', 'b'],
    ['PSETEX', 'c', 0, 'x'],
  ),
  commands('GETSET and GETDEL', ['GETSET', 'a', '1'], ['GETSET', 'a', '2'], ['GETDEL', 'a'], ['GETDEL', 'a']),
  commands(
    'GETEX',
    ['SET', 'a', '1', 'EX', 100],
    ['GETEX', 'a', 'PERSIST'],
    ['TTL', 'a'],
    ['GETEX', 'a', 'EX', 50],
    ['TTL', 'a'],
    ['GETEX', 'none'],
  ),
  commands(
    'MSET and MGET',
    ['MSET', 'a', 1, 'b', 2],
    ['MGET', 'a', 'none', 'b'],
    ['HSET', 'h', 'f', 1],
    ['MGET', 'h'],
  ),
  commands(
    'INCR and DECR',
    ['INCR', 'a'],
    ['INCRBY', 'a', 41],
    ['DECR', 'a'],
    ['DECRBY', 'a', 50],
    ['GET', 'a'],
  ),
  commands(
    'INCR of what is no integer',
    ['SET', 'a', 'x'],
    ['INCR', 'a'],
    ['SET', 'b', '1.5'],
    ['INCR', 'b'],
    ['SET', 'c', ' 1'],
    ['INCR', 'c'],
  ),
  commands('INCRBY past 64 bits', ['SET', 'a', '9223372036854775807'], ['INCR', 'a'], ['GET', 'a']),
  commands(
    'INCRBYFLOAT',
    ['INCRBYFLOAT', 'a', '1.5'],
    ['INCRBYFLOAT', 'a', '2.25'],
    ['INCRBYFLOAT', 'a', 'x'],
    ['GET', 'a'],
  ),
  commands(
    'APPEND and STRLEN',
    ['APPEND', 'a', 'xy'],
    ['APPEND', 'a', 'é'],
    ['STRLEN', 'a'],
    ['STRLEN', 'none'],
  ),
  commands(
    'GETRANGE',
    ['SET', 'a', 'abcdef'],
    ['GETRANGE', 'a', 1, 3],
    ['GETRANGE', 'a', -2, -1],
    ['GETRANGE', 'a', 4, 2],
    ['GETRANGE', 'none', 0, 1],
  ),
  {
    name: 'values are bytes',
    run: async ({ client }) => {
      const bytes = Buffer.from(Array.from({ length: 256 }, (_, byte) => byte));
      await client.set('a', bytes);
      return (await client.getBuffer('a'))?.equals(bytes);
    },
  },
  commands(
    'HSET counts new fields',
    ['HSET', 'h', 'a', 1, 'b', 2],
    ['HSET', 'h', 'a', 9, 'c', 3],
    ['HGET', 'h', 'a'],
    ['HGET', 'h', 'none'],
  ),
  commands(
    'HMSET, HMGET, HLEN and HEXISTS',
    ['HMSET', 'h', 'a', 1, 'b', 2],
    ['HMGET', 'h', 'b', 'none', 'a'],
    ['HLEN', 'h'],
    ['HEXISTS', 'h', 'a'],
    ['HEXISTS', 'h', 'x'],
  ),
  commands(
    'HGETALL, HKEYS and HVALS keep the order of insertion',
    ['HSET', 'h', 'z', 1, 'a', 2, 'm', 3],
    ['HGETALL', 'h'],
    ['HKEYS', 'h'],
    ['HVALS', 'h'],
    ['HGETALL', 'none'],
  ),
  commands(
    'HDEL removes an empty hash',
    ['HSET', 'h', 'a', 1],
    ['HDEL', 'h', 'a', 'b'],
    ['EXISTS', 'h'],
    ['HDEL', 'h', 'a'],
  ),
  commands('HSETNX', ['HSETNX', 'h', 'a', 1], ['HSETNX', 'h', 'a', 2], ['HGET', 'h', 'a']),
  commands(
    'HINCRBY',
    ['HINCRBY', 'h', 'a', 5],
    ['HINCRBY', 'h', 'a', -7],
    ['HSET', 'h', 'b', 'x'],
    ['HINCRBY', 'h', 'b', 1],
    ['HINCRBY', 'h', 'a', 'x'],
  ),
  commands(
    'HINCRBYFLOAT',
    ['HINCRBYFLOAT', 'h', 'a', '1.5'],
    ['HINCRBYFLOAT', 'h', 'a', '-0.25'],
    ['HSET', 'h', 'b', 'x'],
    ['HINCRBYFLOAT', 'h', 'b', 1],
  ),
  commands(
    'HSET without a value',
    ['HSET', 'h', 'a'],
    ['HSET', 'h', 'a', 1, 'b'],
    ['HMSET', 'h', 'a', 1, 'b'],
  ),
  commands(
    'a hash keeps its expiry time when fields change',
    ['HSET', 'h', 'a', 1],
    ['PEXPIREAT', 'h', '99999999999999'],
    ['HSET', 'h', 'b', 2],
    ['PERSIST', 'h'],
  ),
  commands(
    'another type',
    ['SET', 'a', '1'],
    ['HGET', 'a', 'f'],
    ['HSET', 'a', 'f', 1],
    ['ZADD', 'a', 1, 'm'],
    ['HSET', 'h', 'f', 1],
    ['GET', 'h'],
    ['INCR', 'h'],
  ),
  commands('SET replaces another type', ['HSET', 'a', 'f', 1], ['SET', 'a', 'x'], ['TYPE', 'a']),
  commands(
    'TYPE',
    ['SET', 's', 1],
    ['HSET', 'h', 'f', 1],
    ['ZADD', 'z', 1, 'm'],
    ['TYPE', 's'],
    ['TYPE', 'h'],
    ['TYPE', 'z'],
    ['TYPE', 'none'],
  ),
  commands(
    'ZADD and ZSCORE',
    ['ZADD', 'z', 1, 'a', 2, 'b'],
    ['ZADD', 'z', 3, 'a', 4, 'c'],
    ['ZSCORE', 'z', 'a'],
    ['ZSCORE', 'z', 'none'],
    ['ZCARD', 'z'],
  ),
  commands(
    'ZADD NX, XX, GT, LT and CH',
    ['ZADD', 'z', 5, 'a'],
    ['ZADD', 'z', 'NX', 1, 'a', 2, 'b'],
    ['ZADD', 'z', 'XX', 7, 'a', 9, 'c'],
    ['ZADD', 'z', 'GT', 'CH', 6, 'a', 3, 'b'],
    ['ZADD', 'z', 'LT', 'CH', 6, 'a'],
    ['ZRANGE', 'z', 0, -1, 'WITHSCORES'],
    ['ZADD', 'z', 'NX', 'XX', 1, 'a'],
  ),
  commands(
    'ZRANGE by rank',
    ['ZADD', 'z', 1, 'a', 2, 'b', 3, 'c'],
    ['ZRANGE', 'z', 0, -1],
    ['ZRANGE', 'z', -2, -1],
    ['ZRANGE', 'z', 5, 9],
    ['ZREVRANGE', 'z', 0, 1, 'WITHSCORES'],
    ['ZRANGE', 'z', 0, 1, 'REV'],
  ),
  commands(
    'members of one score are in the order of their bytes',
    ['ZADD', 'z', 1, 'b', 1, 'a', 1, 'B', 1, 'é'],
    ['ZRANGE', 'z', 0, -1],
  ),
  commands(
    'ZRANGEBYSCORE and ZCOUNT',
    ['ZADD', 'z', 1, 'a', 2, 'b', 3, 'c'],
    ['ZRANGEBYSCORE', 'z', '(1', '+inf'],
    ['ZRANGEBYSCORE', 'z', '-inf', 2, 'LIMIT', 1, 1],
    ['ZCOUNT', 'z', 2, 3],
    ['ZRANGE', 'z', 3, 1, 'BYSCORE', 'REV'],
    ['ZRANGEBYSCORE', 'z', 'x', 1],
  ),
  commands(
    'ZREM and ZREMRANGEBYSCORE',
    ['ZADD', 'z', 1, 'a', 2, 'b', 3, 'c'],
    ['ZREM', 'z', 'a', 'none'],
    ['ZREMRANGEBYSCORE', 'z', 0, 10],
    ['EXISTS', 'z'],
  ),
  commands(
    'ZINCRBY and ZRANK',
    ['ZINCRBY', 'z', '1.5', 'a'],
    ['ZINCRBY', 'z', 1, 'a'],
    ['ZADD', 'z', 1, 'b'],
    ['ZRANK', 'z', 'a'],
    ['ZRANK', 'z', 'none'],
  ),
  commands(
    'ZADD of what is no number',
    ['ZADD', 'z', 'x', 'a'],
    ['ZADD', 'z', 1],
    ['ZINCRBY', 'z', 'x', 'a'],
  ),
  commands(
    'scores print as numbers',
    ['ZADD', 'z', '0.5', 'a', '1e3', 'b', 'inf', 'c', '-inf', 'd'],
    ['ZSCORE', 'z', 'a'],
    ['ZSCORE', 'z', 'b'],
    ['ZSCORE', 'z', 'c'],
    ['ZSCORE', 'z', 'd'],
  ),
  commands(
    'DEL, UNLINK and EXISTS',
    ['MSET', 'a', 1, 'b', 2, 'c', 3],
    ['EXISTS', 'a', 'a', 'none'],
    ['DEL', 'a', 'none'],
    ['UNLINK', 'b', 'c'],
    ['EXISTS', 'a', 'b', 'c'],
  ),
  commands(
    'TTL of a key without one, and of none',
    ['SET', 'a', 1],
    ['TTL', 'a'],
    ['PTTL', 'a'],
    ['TTL', 'none'],
  ),
  commands(
    'EXPIRE and PERSIST',
    ['SET', 'a', 1],
    ['EXPIRE', 'a', 100],
    ['TTL', 'a'],
    ['PERSIST', 'a'],
    ['PERSIST', 'a'],
    ['TTL', 'a'],
    ['EXPIRE', 'none', 10],
  ),
  commands(
    'EXPIRE of the past deletes',
    ['SET', 'a', 1],
    ['EXPIRE', 'a', -1],
    ['EXISTS', 'a'],
    ['SET', 'b', 1],
    ['PEXPIREAT', 'b', 1],
    ['EXISTS', 'b'],
  ),
  errorCodes(
    'EXPIRE with wrong arguments',
    ['EXPIRE', 'a', 'x'],
    ['PEXPIRE', 'a'],
    ['EXPIRE', 'a', '9223372036854775807'],
  ),
  {
    name: 'PTTL counts down in milliseconds',
    run: async ({ client }) => {
      await client.set('a', '1', 'PX', 5_000);
      await client.hset('h', 'f', '1');
      await client.pexpire('h', 3_000);
      return [about(await client.pttl('a'), 5_000), about(await client.pttl('h'), 3_000)];
    },
  },
  {
    name: 'a key is gone at its time, to the millisecond',
    run: async ({ client }) => {
      await client.set('a', '1', 'PX', 120);
      const before = await client.get('a');
      await delay(125);
      return [before, await client.get('a'), await client.exists('a'), await client.dbsize()];
    },
  },
  {
    name: 'a hash that expired begins again without an expiry time',
    run: async ({ client }) => {
      await client.hset('h', 'a', '1');
      await client.pexpire('h', 30);
      await delay(40);
      return [await client.hincrby('h', 'a', 1), await client.pttl('h')];
    },
  },
  commands(
    'KEYS with patterns',
    ['MSET', 'a1', 1, 'a2', 1, 'b*', 1],
    ['KEYS', 'none*'],
    ['KEYS', 'b\\*'],
    ['KEYS', 'a[2-9]'],
    ['KEYS', 'a?x'],
    ['KEYS', '[^a]*'],
  ),
  {
    name: 'SCAN finds every key',
    run: async ({ client }) => {
      for (let i = 0; i < 300; i += 1) await client.set(`key:${i}`, '1');
      await client.set('other', '1');
      const found = new Set<string>();
      let cursor = '0';
      do {
        const [next, keys] = await client.scan(cursor, 'MATCH', 'key:*', 'COUNT', 50);
        for (const key of keys) found.add(key);
        cursor = next;
      } while (cursor !== '0');
      return found.size;
    },
  },
  commands(
    'DBSIZE, FLUSHDB and FLUSHALL',
    ['SET', 'a', 1],
    ['DBSIZE'],
    ['FLUSHDB'],
    ['DBSIZE'],
    ['FLUSHALL', 'ASYNC'],
  ),
  commands('SELECT of the one database', ['SELECT', 0], ['SELECT', 'x']),
  commands('PING and ECHO', ['PING'], ['PING', 'hello'], ['ECHO', 'x']),
  errorCodes('an unknown command', ['NOPE', 'a'], ['HGET', 'a'], ['GET'], ['CONFIG', 'NOPE', 'x']),
  commands('a wrong number of arguments', ['GET'], ['GET', 'a', 'b'], ['HSET', 'a', 'b'], ['SUBSCRIBE']),
  {
    name: 'TIME is the time of day',
    run: async ({ client }) => {
      const [seconds, micros] = await client.time();
      const ms = Number(seconds) * 1_000 + Number(micros) / 1_000;
      return [Math.abs(Date.now() - ms) < 1_000, Number(micros) < 1_000_000];
    },
  },
  {
    name: 'INFO tells that loading is over',
    run: async ({ client }) => /^loading:0\r$/m.test(await client.info('persistence')),
  },
  commands(
    'MULTI and EXEC',
    ['MULTI'],
    ['SET', 'a', 1],
    ['INCR', 'a'],
    ['HGET', 'a', 'f'],
    ['EXEC'],
    ['GET', 'a'],
  ),
  commands('DISCARD', ['MULTI'], ['SET', 'a', 1], ['DISCARD'], ['GET', 'a'], ['DISCARD'], ['EXEC']),
  errorCodes('EXEC after a refused command', ['MULTI'], ['NOPE'], ['SET', 'a', 1], ['EXEC'], ['GET', 'a']),
  commands('MULTI within MULTI', ['MULTI'], ['MULTI'], ['DISCARD']),
  {
    name: 'nothing comes between the commands of a transaction',
    run: async ({ client, newClient }) => {
      const other = newClient();
      const transaction = client.multi();
      for (let i = 0; i < 200; i += 1) transaction.incr('a');
      const [results] = await Promise.all([
        transaction.exec(),
        ...Array.from({ length: 50 }, () => other.incr('a')),
      ]);
      const values = (results ?? []).map(([, value]) => Number(value));
      return [values.every((value, i) => i === 0 || value === values[i - 1]! + 1), await client.get('a')];
    },
  },
  {
    name: 'a pipeline keeps its order',
    run: async ({ client }) => {
      const pipeline = client.pipeline();
      for (let i = 0; i < 100; i += 1) pipeline.append('a', String(i % 10)).strlen('a');
      return (await pipeline.exec())?.map(([, value]) => value);
    },
  },
  {
    name: 'PUBLISH reaches the subscribers in order and counts them',
    run: async ({ client, newClient }) => {
      const [one, two] = [newClient(), newClient()];
      const received: string[] = [];
      one.on('message', (channel, message) => received.push(`${channel} ${message}`));
      const counts = [await one.subscribe('x', 'y'), await two.subscribe('x')];
      const receivers = [
        await client.publish('x', '1'),
        await client.publish('y', '2'),
        await client.publish('z', '3'),
      ];
      await delay(50);
      return { counts, receivers, received };
    },
  },
  {
    name: 'PSUBSCRIBE matches patterns',
    run: async ({ client, newClient }) => {
      const subscriber = newClient();
      const received: string[] = [];
      subscriber.on('pmessage', (pattern, channel, message) =>
        received.push(`${pattern} ${channel} ${message}`),
      );
      await subscriber.psubscribe('a*', '[xy]');
      await client.publish('abc', '1');
      await client.publish('y', '2');
      await client.publish('b', '3');
      await delay(50);
      return received;
    },
  },
  {
    name: 'UNSUBSCRIBE ends messages',
    run: async ({ client, newClient }) => {
      const subscriber = newClient();
      await subscriber.subscribe('x', 'y');
      const left = await subscriber.unsubscribe('x');
      return [
        left,
        await client.publish('x', '1'),
        await client.publish('y', '1'),
        await client.pubsub('NUMSUB', 'x', 'y'),
      ];
    },
  },
  {
    name: 'a subscriber that disconnected is not counted',
    run: async ({ client, newClient }) => {
      const subscriber = newClient();
      await subscriber.subscribe('x');
      subscriber.disconnect();
      await delay(100);
      return client.publish('x', '1');
    },
  },
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
    name: 'TIME stands still within a script',
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
