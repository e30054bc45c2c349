import { type RedisCheck, commands, errorCodes } from './check';

export const STRING_CHECKS: readonly RedisCheck[] = [
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
  commands('SET replaces another type', ['HSET', 'a', 'f', 1], ['SET', 'a', 'x'], ['TYPE', 'a']),
];
