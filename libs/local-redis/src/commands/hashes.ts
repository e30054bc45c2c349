import { MapReply, OK, RedisError, type Reply, formatDouble } from '../resp/reply';
import { type CommandContext, type CommandTable, addIntegers, float, integer64, wrongArity } from './command';

/** Commands on hashes. */
export const HASH_COMMANDS: CommandTable = {
  HSET: {
    arity: -4,
    run: (context, [key = '', ...pairs]) => {
      if (pairs.length % 2 !== 0) throw wrongArity('hset');
      return setFields(context, key, pairs);
    },
  },
  HMSET: {
    arity: -4,
    run: (context, [key = '', ...pairs]) => {
      if (pairs.length % 2 !== 0) throw wrongArity('hmset');
      setFields(context, key, pairs);
      return OK;
    },
  },
  HSETNX: {
    arity: 4,
    run: (context, [key = '', field = '', value = '']) =>
      context.keyspace.hash(key, context.nowMs)?.has(field) ? 0 : setFields(context, key, [field, value]),
  },
  HGET: {
    arity: 3,
    run: ({ keyspace, nowMs }, [key = '', field = '']) => keyspace.hash(key, nowMs)?.get(field) ?? null,
  },
  HMGET: {
    arity: -3,
    run: ({ keyspace, nowMs }, [key = '', ...fields]) => {
      const hash = keyspace.hash(key, nowMs);
      return fields.map((field) => hash?.get(field) ?? null);
    },
  },
  HGETALL: {
    arity: 2,
    run: ({ keyspace, nowMs }, [key = '']) => new MapReply([...(keyspace.hash(key, nowMs) ?? [])]),
  },
  HDEL: {
    arity: -3,
    run: (context, [key = '', ...fields]) => {
      const { keyspace, nowMs } = context;
      const hash = keyspace.hash(key, nowMs);
      const deleted = hash ? fields.filter((field) => hash.delete(field)) : [];
      if (deleted.length > 0) context.effect('HDEL', key, ...deleted);
      keyspace.dropIfEmpty(key);
      return deleted.length;
    },
  },
  HEXISTS: {
    arity: 3,
    run: ({ keyspace, nowMs }, [key = '', field = '']) => (keyspace.hash(key, nowMs)?.has(field) ? 1 : 0),
  },
  HLEN: { arity: 2, run: ({ keyspace, nowMs }, [key = '']) => keyspace.hash(key, nowMs)?.size ?? 0 },
  HKEYS: {
    arity: 2,
    run: ({ keyspace, nowMs }, [key = '']) => [...(keyspace.hash(key, nowMs)?.keys() ?? [])],
  },
  HVALS: {
    arity: 2,
    run: ({ keyspace, nowMs }, [key = '']) => [...(keyspace.hash(key, nowMs)?.values() ?? [])],
  },
  HINCRBY: { arity: 4, run: hashIncrement },
  HINCRBYFLOAT: { arity: 4, run: hashIncrementFloat },
};

function setFields(context: CommandContext, key: string, pairs: readonly string[]): number {
  const hash = context.keyspace.hashToChange(key, context.nowMs);
  const before = hash.size;
  for (let at = 0; at < pairs.length; at += 2) hash.set(pairs[at]!, pairs[at + 1]!);
  context.effect('HSET', key, ...pairs);
  return hash.size - before;
}

function hashIncrement(context: CommandContext, [key = '', field = '', by = '']: readonly string[]): Reply {
  const increment = integer64(by);
  const before = context.keyspace.hash(key, context.nowMs)?.get(field) ?? '0';
  if (!/^(0|-?[1-9]\d*)$/.test(before)) throw new RedisError('ERR hash value is not an integer');
  const sum = addIntegers(before, increment);
  setFields(context, key, [field, sum]);
  return Number(sum);
}

function hashIncrementFloat(
  context: CommandContext,
  [key = '', field = '', by = '']: readonly string[],
): Reply {
  const increment = float(by);
  const before = Number(context.keyspace.hash(key, context.nowMs)?.get(field) ?? '0');
  if (Number.isNaN(before)) throw new RedisError('ERR hash value is not a float');
  if (!Number.isFinite(before + increment))
    throw new RedisError('ERR increment would produce NaN or Infinity');
  const sum = formatDouble(before + increment);
  setFields(context, key, [field, sum]);
  return sum;
}
