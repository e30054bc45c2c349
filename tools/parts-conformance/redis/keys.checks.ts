import { type RedisCheck, about, commands, delay, errorCodes } from './check';

export const KEY_CHECKS: readonly RedisCheck[] = [
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
    name: 'a key expires at its time, to the millisecond',
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
];
