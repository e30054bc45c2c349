import { OK, RedisError, type Reply, formatDouble } from '../resp/reply';
import {
  type CommandContext,
  type CommandTable,
  SYNTAX_ERROR,
  addIntegers,
  float,
  integer,
  integer64,
  wrongArity,
} from './command';
import { expiryTime, isExpiryOption } from './expiry-options';

/** Commands on strings. */
export const STRING_COMMANDS: CommandTable = {
  GET: { arity: 2, run: ({ keyspace, nowMs }, [key = '']) => keyspace.string(key, nowMs) ?? null },
  SET: { arity: -3, run: set },
  SETNX: {
    arity: 3,
    run: (context, [key = '', value = '']) => {
      if (context.keyspace.get(key, context.nowMs) !== undefined) return 0;
      store(context, key, value, null);
      return 1;
    },
  },
  SETEX: {
    arity: 4,
    run: (context, [key = '', seconds, value = '']) => {
      store(context, key, value, expiryTime('EX', seconds, 'setex', context.nowMs));
      return OK;
    },
  },
  PSETEX: {
    arity: 4,
    run: (context, [key = '', milliseconds, value = '']) => {
      store(context, key, value, expiryTime('PX', milliseconds, 'psetex', context.nowMs));
      return OK;
    },
  },
  GETSET: {
    arity: 3,
    run: (context, [key = '', value = '']) => {
      const before = context.keyspace.string(key, context.nowMs) ?? null;
      store(context, key, value, null);
      return before;
    },
  },
  GETDEL: {
    arity: 2,
    run: (context, [key = '']) => {
      const before = context.keyspace.string(key, context.nowMs) ?? null;
      if (context.keyspace.delete(key, context.nowMs)) context.effect('DEL', key);
      return before;
    },
  },
  GETEX: { arity: -2, run: getEx },
  MGET: {
    arity: -2,
    run: ({ keyspace, nowMs }, keys) =>
      keys.map((key) => {
        const value = keyspace.get(key, nowMs);
        return typeof value === 'string' ? value : null;
      }),
  },
  MSET: {
    arity: -3,
    run: (context, args) => {
      if (args.length % 2 !== 0) throw wrongArity('mset');
      for (let at = 0; at < args.length; at += 2) store(context, args[at]!, args[at + 1]!, null);
      return OK;
    },
  },
  STRLEN: {
    arity: 2,
    run: ({ keyspace, nowMs }, [key = '']) => keyspace.string(key, nowMs)?.length ?? 0,
  },
  APPEND: {
    arity: 3,
    run: (context, [key = '', suffix = '']) => {
      const value = (context.keyspace.string(key, context.nowMs) ?? '') + suffix;
      store(context, key, value, expiryOf(context, key));
      return value.length;
    },
  },
  INCR: { arity: 2, run: (context, [key = '']) => increment(context, key, 1n) },
  DECR: { arity: 2, run: (context, [key = '']) => increment(context, key, -1n) },
  INCRBY: { arity: 3, run: (context, [key = '', by = '']) => increment(context, key, integer64(by)) },
  DECRBY: { arity: 3, run: (context, [key = '', by = '']) => increment(context, key, -integer64(by)) },
  INCRBYFLOAT: {
    arity: 3,
    run: (context, [key = '', by = '']) => {
      const sum = float(context.keyspace.string(key, context.nowMs) ?? '0') + float(by);
      if (!Number.isFinite(sum)) throw new RedisError('ERR increment would produce NaN or Infinity');
      const text = formatDouble(sum);
      store(context, key, text, expiryOf(context, key));
      return text;
    },
  },
  GETRANGE: {
    arity: 4,
    run: ({ keyspace, nowMs }, [key = '', from = '', to = '']) => {
      const value = keyspace.string(key, nowMs) ?? '';
      const start = fromEnd(integer(from), value.length);
      const end = fromEnd(integer(to), value.length);
      return value.slice(start, end + 1);
    },
  },
};

function fromEnd(index: number, length: number): number {
  return index < 0 ? Math.max(0, length + index) : index;
}

function expiryOf({ keyspace, nowMs }: CommandContext, key: string): number | null {
  return keyspace.expiresAtMs(key, nowMs) ?? null;
}

/**
 * Stores a string with an absolute expiry time, so that the effect is the same when the file is read later.
 */
function store(context: CommandContext, key: string, value: string, expiresAtMs: number | null): void {
  const { keyspace, nowMs } = context;
  if (expiresAtMs !== null && expiresAtMs <= nowMs) {
    if (keyspace.delete(key, nowMs)) context.effect('DEL', key);
    return;
  }
  keyspace.put(key, value, expiresAtMs);
  if (expiresAtMs === null) context.effect('SET', key, value);
  else context.effect('SET', key, value, 'PXAT', String(expiresAtMs));
}

function increment(context: CommandContext, key: string, by: bigint): Reply {
  const sum = addIntegers(context.keyspace.string(key, context.nowMs) ?? '0', by);
  store(context, key, sum, expiryOf(context, key));
  return Number(sum);
}

interface SetOptions {
  expiresAtMs: number | null;
  keepsExpiry: boolean;
  onlyIf: 'NX' | 'XX' | null;
  returnsBefore: boolean;
}

function setOptions(args: readonly string[], nowMs: number): SetOptions {
  const options: SetOptions = { expiresAtMs: null, keepsExpiry: false, onlyIf: null, returnsBefore: false };
  let hasExpiry = false;
  for (let at = 0; at < args.length; at += 1) {
    const option = args[at]!.toUpperCase();
    if ((option === 'NX' || option === 'XX') && options.onlyIf === null) options.onlyIf = option;
    else if (option === 'GET') options.returnsBefore = true;
    else if (option === 'KEEPTTL' && !hasExpiry) hasExpiry = options.keepsExpiry = true;
    else if (isExpiryOption(option) && !hasExpiry) {
      hasExpiry = true;
      at += 1;
      options.expiresAtMs = expiryTime(option, args[at], 'set', nowMs);
    } else throw new RedisError(SYNTAX_ERROR);
  }
  return options;
}

function set(context: CommandContext, [key = '', value = '', ...rest]: readonly string[]): Reply {
  const { keyspace, nowMs } = context;
  const options = setOptions(rest, nowMs);
  const before = options.returnsBefore ? (keyspace.string(key, nowMs) ?? null) : null;
  const exists = keyspace.get(key, nowMs) !== undefined;
  if (options.onlyIf !== null && exists !== (options.onlyIf === 'XX')) return before;
  store(context, key, value, options.keepsExpiry ? expiryOf(context, key) : options.expiresAtMs);
  return options.returnsBefore ? before : OK;
}

function getEx(context: CommandContext, [key = '', option, amount, ...rest]: readonly string[]): Reply {
  const { keyspace, nowMs } = context;
  if (rest.length > 0) throw new RedisError(SYNTAX_ERROR);
  const value = keyspace.string(key, nowMs);
  const persists = option?.toUpperCase() === 'PERSIST' && amount === undefined;
  const expiresAtMs = option === undefined || persists ? null : expiryTime(option, amount, 'getex', nowMs);
  if (value === undefined) return null;
  if (persists) store(context, key, value, null);
  else if (expiresAtMs !== null) store(context, key, value, expiresAtMs);
  return value;
}
