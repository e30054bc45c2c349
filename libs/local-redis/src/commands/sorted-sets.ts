import { Double, Pairs, RedisError, type Reply, formatDouble } from '../resp/reply';
import { type CommandContext, type CommandTable, SYNTAX_ERROR, float, integer } from './command';

/** Commands on sorted sets. */
export const SORTED_SET_COMMANDS: CommandTable = {
  ZADD: { arity: -4, run: add },
  ZINCRBY: {
    arity: 4,
    run: (context, [key = '', by = '', member = '']) => {
      const increment = float(by);
      const set = context.keyspace.sortedSetToChange(key, context.nowMs);
      const score = (set.score(member) ?? 0) + increment;
      if (Number.isNaN(score)) throw new RedisError('ERR resulting score is not a number (NaN)');
      set.set(member, score);
      context.effect('ZADD', key, formatDouble(score), member);
      return new Double(score);
    },
  },
  ZSCORE: {
    arity: 3,
    run: ({ keyspace, nowMs }, [key = '', member = '']) => {
      const score = keyspace.sortedSet(key, nowMs)?.score(member);
      return score === undefined ? null : new Double(score);
    },
  },
  ZCARD: { arity: 2, run: ({ keyspace, nowMs }, [key = '']) => keyspace.sortedSet(key, nowMs)?.size ?? 0 },
  ZRANK: {
    arity: 3,
    run: ({ keyspace, nowMs }, [key = '', member = '']) =>
      keyspace.sortedSet(key, nowMs)?.rank(member) ?? null,
  },
  ZREM: {
    arity: -3,
    run: (context, [key = '', ...members]) => {
      const set = context.keyspace.sortedSet(key, context.nowMs);
      return removed(context, key, set ? members.filter((member) => set.delete(member)) : []);
    },
  },
  ZCOUNT: {
    arity: 4,
    run: (context, [key = '', min = '', max = '']) => between(context, key, min, max).length,
  },
  ZRANGE: {
    arity: -4,
    run: (context, [key = '', first = '', last = '', ...options]) => {
      const { byScore, reversed, withScores, limit } = rangeOptions(options);
      if (limit !== null && !byScore) {
        throw new RedisError(
          'ERR syntax error, LIMIT is only supported in combination with either BYSCORE or BYLEX',
        );
      }
      if (!byScore) return shown(byRank(context, key, first, last, reversed), withScores);
      const [min, max] = reversed ? [last, first] : [first, last];
      const found = between(context, key, min, max);
      return shown(page(reversed ? found.reverse() : found, limit), withScores);
    },
  },
  ZRANGEBYSCORE: {
    arity: -4,
    run: (context, [key = '', min = '', max = '', ...options]) => {
      const { withScores, limit } = rangeOptions(options);
      return shown(page(between(context, key, min, max), limit), withScores);
    },
  },
  ZREVRANGE: {
    arity: -4,
    run: (context, [key = '', first = '', last = '', ...options]) =>
      shown(byRank(context, key, first, last, true), rangeOptions(options).withScores),
  },
  ZREMRANGEBYSCORE: {
    arity: 4,
    run: (context, [key = '', min = '', max = '']) => {
      const members = between(context, key, min, max).map(([member]) => member);
      const set = context.keyspace.sortedSet(key, context.nowMs);
      for (const member of members) set?.delete(member);
      return removed(context, key, members);
    },
  },
};

type Scored = readonly [member: string, score: number];

function removed(context: CommandContext, key: string, members: readonly string[]): Reply {
  if (members.length > 0) context.effect('ZREM', key, ...members);
  context.keyspace.dropIfEmpty(key);
  return members.length;
}

function add(context: CommandContext, [key = '', ...rest]: readonly string[]): Reply {
  const flags = new Set<string>();
  let at = 0;
  while (/^(NX|XX|GT|LT|CH|INCR)$/i.test(rest[at] ?? '')) flags.add(rest[at++]!.toUpperCase());
  const pairs = rest.slice(at);
  if (pairs.length === 0 || pairs.length % 2 !== 0 || flags.has('INCR')) throw new RedisError(SYNTAX_ERROR);
  if (flags.has('NX') && flags.has('XX')) {
    throw new RedisError('ERR XX and NX options at the same time are not compatible');
  }
  const scores = pairs.filter((_, index) => index % 2 === 0).map(float);
  const set = context.keyspace.sortedSetToChange(key, context.nowMs);
  let added = 0;
  let changed = 0;
  scores.forEach((score, index) => {
    const member = pairs[index * 2 + 1]!;
    const before = set.score(member);
    if (before === undefined ? flags.has('XX') : flags.has('NX')) return;
    if (before !== undefined && flags.has('GT') && score <= before) return;
    if (before !== undefined && flags.has('LT') && score >= before) return;
    if (before === undefined) added += 1;
    else if (before !== score) changed += 1;
    set.set(member, score);
    context.effect('ZADD', key, formatDouble(score), member);
  });
  context.keyspace.dropIfEmpty(key);
  return flags.has('CH') ? added + changed : added;
}

/** `5`, `(5`, `-inf` or `+inf` as a lower or upper bound of scores. */
function bound(text: string): { value: number; excluded: boolean } {
  const excluded = text.startsWith('(');
  try {
    return { value: float(excluded ? text.slice(1) : text), excluded };
  } catch {
    throw new RedisError('ERR min or max is not a float');
  }
}

function between({ keyspace, nowMs }: CommandContext, key: string, min: string, max: string): Scored[] {
  const low = bound(min);
  const high = bound(max);
  const entries = keyspace.sortedSet(key, nowMs)?.entries() ?? [];
  return entries.filter(
    ([, score]) =>
      (low.excluded ? score > low.value : score >= low.value) &&
      (high.excluded ? score < high.value : score <= high.value),
  );
}

function byRank(
  { keyspace, nowMs }: CommandContext,
  key: string,
  first: string,
  last: string,
  reversed: boolean,
): Scored[] {
  const [from, to] = [integer(first), integer(last)];
  const entries = [...(keyspace.sortedSet(key, nowMs)?.entries() ?? [])];
  if (reversed) entries.reverse();
  const place = (index: number): number => (index < 0 ? Math.max(0, entries.length + index) : index);
  return to < 0 && entries.length + to < 0 ? [] : entries.slice(place(from), place(to) + 1);
}

interface RangeOptions {
  byScore: boolean;
  reversed: boolean;
  withScores: boolean;
  limit: { offset: number; count: number } | null;
}

function rangeOptions(options: readonly string[]): RangeOptions {
  const parsed: RangeOptions = { byScore: false, reversed: false, withScores: false, limit: null };
  for (let at = 0; at < options.length; at += 1) {
    const option = options[at]!.toUpperCase();
    if (option === 'BYSCORE') parsed.byScore = true;
    else if (option === 'REV') parsed.reversed = true;
    else if (option === 'WITHSCORES') parsed.withScores = true;
    else if (option === 'LIMIT' && at + 2 < options.length) {
      parsed.limit = { offset: integer(options[at + 1]!), count: integer(options[at + 2]!) };
      at += 2;
    } else throw new RedisError(SYNTAX_ERROR);
  }
  return parsed;
}

function page(found: Scored[], limit: RangeOptions['limit']): Scored[] {
  if (limit === null) return found;
  const { offset, count } = limit;
  if (offset < 0) return [];
  return count < 0 ? found.slice(offset) : found.slice(offset, offset + count);
}

function shown(found: readonly Scored[], withScores: boolean): Reply {
  return withScores
    ? new Pairs(found.map(([member, score]) => [member, new Double(score)]))
    : found.map(([member]) => member);
}
