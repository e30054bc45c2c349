import { type RedisCheck, commands } from './check';

export const HASH_CHECKS: readonly RedisCheck[] = [
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
];
