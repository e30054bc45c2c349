import type { Market, ReadWords } from './receipt-math';

/** Reads storage of contracts at the block of a receipt. A verifier reads it with proofs. */
export interface ReadStorage {
  /** The words of a contract at these slots, in order. */
  words(contract: bigint, slots: readonly bigint[]): Promise<readonly bigint[]>;
  /** The slot of an entry of a mapping, or of mappings inside it. */
  slotOf(mapping: bigint, ...keys: readonly bigint[]): bigint;
}

/** A call, and the words with which its result must begin, as its contract reads them in its storage. */
export interface StoredCall {
  to: bigint;
  selector: string;
  args: readonly bigint[];
  /** Null: this word is not stored. */
  words: readonly (bigint | null)[];
}

/**
 * The calls of a position whose results follow from storage alone. `read` has the results of the receipt, for what a contract
 * has in its code.
 */
export type StorageLayout = (market: Market, storage: ReadStorage, read: ReadWords) => Promise<StoredCall[]>;

/** The unsigned number of `size` bits from bit `from` on, counted from the lowest. */
export function bitsOf(word: bigint, from: number, size: number): bigint {
  return BigInt.asUintN(size, word >> BigInt(from));
}

/** `count` slots, one after the other. */
export function slotsFrom(first: bigint, count: number): bigint[] {
  return Array.from({ length: count }, (_, index) => first + BigInt(index));
}
