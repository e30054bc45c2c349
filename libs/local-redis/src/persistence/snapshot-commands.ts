import type { Keyspace } from '../keyspace/keyspace';

/** Fields or members in one command, so that no command of the file is huge. */
const CHUNK = 512;

/** Commands that lead from an empty keyspace to this one. */
export function* snapshotCommands(keyspace: Keyspace, nowMs: number): Generator<string[]> {
  for (const key of keyspace.keys(nowMs)) {
    const value = keyspace.get(key, nowMs)!;
    if (typeof value === 'string') yield ['SET', key, value];
    else if (value instanceof Map) yield* chunked(['HSET', key], [...value]);
    else
      yield* chunked(
        ['ZADD', key],
        value.entries().map(([member, score]) => [String(score), member]),
      );
    const expiresAtMs = keyspace.expiresAtMs(key, nowMs);
    if (typeof expiresAtMs === 'number') yield ['PEXPIREAT', key, String(expiresAtMs)];
  }
}

function* chunked(head: string[], pairs: readonly (readonly [string, string])[]): Generator<string[]> {
  for (let at = 0; at < pairs.length; at += CHUNK) yield [...head, ...pairs.slice(at, at + CHUNK).flat()];
}
