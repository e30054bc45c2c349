import { typeOf } from '../keyspace/keyspace';
import { OK, RedisError, type Reply, SimpleString } from '../resp/reply';
import { type CommandContext, type CommandTable, SYNTAX_ERROR, integer } from './command';
import { matcherOf } from './glob';

/** Commands on keys of any type. */
export const KEY_COMMANDS: CommandTable = {
  DEL: { arity: -2, run: deleteKeys },
  UNLINK: { arity: -2, run: deleteKeys },
  EXISTS: {
    arity: -2,
    run: ({ keyspace, nowMs }, keys) => keys.filter((key) => keyspace.get(key, nowMs) !== undefined).length,
  },
  TYPE: {
    arity: 2,
    run: ({ keyspace, nowMs }, [key = '']) => {
      const value = keyspace.get(key, nowMs);
      return new SimpleString(value === undefined ? 'none' : typeOf(value));
    },
  },
  EXPIRE: { arity: -3, run: expireWith('expire', (amount, nowMs) => nowMs + amount * 1_000) },
  PEXPIRE: { arity: -3, run: expireWith('pexpire', (amount, nowMs) => nowMs + amount) },
  EXPIREAT: { arity: -3, run: expireWith('expireat', (amount) => amount * 1_000) },
  PEXPIREAT: { arity: -3, run: expireWith('pexpireat', (amount) => amount) },
  PERSIST: {
    arity: 2,
    run: (context, [key = '']) => {
      const { keyspace, nowMs } = context;
      if (typeof keyspace.expiresAtMs(key, nowMs) !== 'number') return 0;
      keyspace.expireAt(key, null, nowMs);
      context.effect('PERSIST', key);
      return 1;
    },
  },
  TTL: {
    arity: 2,
    run: (context, [key = '']) => timeLeft(context, key, (leftMs) => Math.round(leftMs / 1_000)),
  },
  PTTL: { arity: 2, run: (context, [key = '']) => timeLeft(context, key, (leftMs) => leftMs) },
  PEXPIRETIME: {
    arity: 2,
    run: ({ keyspace, nowMs }, [key = '']) => {
      const expiresAtMs = keyspace.expiresAtMs(key, nowMs);
      return expiresAtMs === undefined ? -2 : (expiresAtMs ?? -1);
    },
  },
  KEYS: {
    arity: 2,
    run: ({ keyspace, nowMs }, [pattern = '']) => [...keyspace.keys(nowMs)].filter(matcherOf(pattern)),
  },
  SCAN: { arity: -2, run: scan },
  DBSIZE: { arity: 1, run: ({ keyspace, nowMs }) => [...keyspace.keys(nowMs)].length },
  FLUSHDB: { arity: -1, run: flush },
  FLUSHALL: { arity: -1, run: flush },
};

function deleteKeys(context: CommandContext, keys: readonly string[]): Reply {
  const deleted = keys.filter((key) => context.keyspace.delete(key, context.nowMs));
  if (deleted.length > 0) context.effect('DEL', ...deleted);
  return deleted.length;
}

function flush(context: CommandContext, args: readonly string[]): Reply {
  const [mode] = args;
  if (args.length > 1 || (mode !== undefined && !/^(a?sync)$/i.test(mode)))
    throw new RedisError(SYNTAX_ERROR);
  context.keyspace.clear();
  context.effect('FLUSHALL');
  return OK;
}

type ExpiryCondition = 'NX' | 'XX' | 'GT' | 'LT';

/**
 * Whether a new expiry time replaces the one before (null: the key never expires, which counts as the latest
 * time).
 */
function isAllowed(condition: string | undefined, before: number | null, after: number): boolean {
  switch (condition?.toUpperCase() as ExpiryCondition | undefined) {
    case undefined:
      return true;
    case 'NX':
      return before === null;
    case 'XX':
      return before !== null;
    case 'GT':
      return before !== null && after > before;
    case 'LT':
      return before === null || after < before;
    default:
      throw new RedisError(`ERR Unsupported option ${condition}`);
  }
}

function expireWith(command: string, timeOf: (amount: number, nowMs: number) => number) {
  return (context: CommandContext, [key = '', amount = '', condition, ...rest]: readonly string[]): Reply => {
    const { keyspace, nowMs } = context;
    if (rest.length > 0) throw new RedisError(`ERR Unsupported option ${rest[0]}`);
    const expiresAtMs = timeOf(integer(amount), nowMs);
    if (!Number.isSafeInteger(expiresAtMs)) {
      throw new RedisError(`ERR invalid expire time in '${command}' command`);
    }
    const before = keyspace.expiresAtMs(key, nowMs);
    const allowed = isAllowed(condition, before ?? null, expiresAtMs);
    if (before === undefined || !allowed) return 0;
    keyspace.expireAt(key, expiresAtMs, nowMs);
    if (expiresAtMs <= nowMs) context.effect('DEL', key);
    else context.effect('PEXPIREAT', key, String(expiresAtMs));
    return 1;
  };
}

function timeLeft({ keyspace, nowMs }: CommandContext, key: string, unit: (leftMs: number) => number): Reply {
  const expiresAtMs = keyspace.expiresAtMs(key, nowMs);
  if (expiresAtMs === undefined) return -2;
  return expiresAtMs === null ? -1 : unit(expiresAtMs - nowMs);
}

/** Returns every key in one page: the keyspace of one machine is small, and a single page misses no key. */
function scan({ keyspace, nowMs }: CommandContext, [cursor = '', ...options]: readonly string[]): Reply {
  if (!/^\d+$/.test(cursor)) throw new RedisError('ERR invalid cursor');
  let matches = (_key: string): boolean => true;
  let type: string | null = null;
  for (let at = 0; at < options.length; at += 2) {
    const value = options[at + 1];
    if (value === undefined) throw new RedisError(SYNTAX_ERROR);
    const option = options[at]!.toUpperCase();
    if (option === 'MATCH') matches = matcherOf(value);
    else if (option === 'TYPE') type = value.toLowerCase();
    else if (option !== 'COUNT' || integer(value) < 1) throw new RedisError(SYNTAX_ERROR);
  }
  if (cursor !== '0') return ['0', []];
  const keys = [...keyspace.keys(nowMs)].filter(
    (key) => matches(key) && (type === null || typeOf(keyspace.get(key, nowMs)!) === type),
  );
  return ['0', keys];
}
