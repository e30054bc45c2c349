import type { Market } from './receipt-math';

/** Reads storage of contracts at the block of a receipt. A verifier reads it with proofs. */
export interface ReadStorage {
  /** The words of a contract at these slots, in order. */
  words(contract: bigint, slots: readonly bigint[]): Promise<readonly bigint[]>;
  /** The slot of an entry of a mapping, or of mappings inside it. */
  slotOf(mapping: bigint, ...keys: readonly bigint[]): bigint;
}

/** A call, and the words with which its result must begin, as its contract computes them from its storage. */
export interface StoredCall {
  to: bigint;
  selector: string;
  args: readonly bigint[];
  words: readonly bigint[];
}

/** The calls of a position whose results follow from storage alone. */
export type StorageLayout = (market: Market, storage: ReadStorage) => Promise<StoredCall[]>;

/** The unsigned number of `size` bits from bit `from` on, counted from the lowest. */
export function bitsOf(word: bigint, from: number, size: number): bigint {
  return BigInt.asUintN(size, word >> BigInt(from));
}

/** `count` slots, one after the other. */
export function slotsFrom(first: bigint, count: number): bigint[] {
  return Array.from({ length: count }, (_, index) => first + BigInt(index));
}
