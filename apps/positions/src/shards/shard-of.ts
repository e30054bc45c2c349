/** A wallet's share of the work: every wallet is in one shard, every shard with one instance. */
export const SHARD_COUNT = 256;

const FNV_OFFSET = 0x811c9dc5;
const FNV_PRIME = 0x01000193;

/** The shard of a wallet (lower case), the same in every process. */
export function shardOf(wallet: string): number {
  return hash(wallet) % SHARD_COUNT;
}

/**
 * The shards of one instance, given the live instances. Rendezvous hashing: an instance that starts or stops
 * moves only its own shards, and all instances compute the same result without communication.
 */
export function shardsOf(instance: string, alive: readonly string[]): ReadonlySet<number> {
  const rivals = alive.filter((other) => other !== instance);
  const shards = Array.from({ length: SHARD_COUNT }, (_, shard) => shard);
  return new Set(
    shards.filter((shard) => {
      const weight = weightOf(instance, shard);
      return rivals.every((rival) => isHeavier(instance, weight, rival, weightOf(rival, shard)));
    }),
  );
}

function isHeavier(one: string, weight: number, other: string, otherWeight: number): boolean {
  return weight === otherWeight ? one > other : weight > otherWeight;
}

function weightOf(instance: string, shard: number): number {
  return hash(`${shard} ${instance}`);
}

/**
 * FNV-1a with its bits mixed once more. The high bits of plain FNV-1a hardly depend on the first characters.
 */
function hash(text: string): number {
  let value = FNV_OFFSET;
  for (let at = 0; at < text.length; at += 1) value = Math.imul(value ^ text.charCodeAt(at), FNV_PRIME);
  value = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  value = Math.imul(value ^ (value >>> 13), 0xc2b2ae35);
  return (value ^ (value >>> 16)) >>> 0;
}
