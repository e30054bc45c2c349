import type { Address, Hex } from 'viem';

/** Selector of Multicall3.aggregate3((address target, bool allowFailure, bytes callData)[]). */
const SELECTOR = '0x82ad56cb';
const WORD = 64;
const ALLOW_FAILURE = '1'.padStart(WORD, '0');
const CALL_DATA_OFFSET = '60'.padStart(WORD, '0');

/** The result of one call of an aggregate3. */
export interface Aggregate3Result {
  success: boolean;
  returnData: Hex;
}

const word = (value: number): string => value.toString(16).padStart(WORD, '0');
const paddedLength = (digits: number): number => Math.ceil(digits / WORD) * WORD;

/**
 * Encodes a call of aggregate3 in which every call may fail. It is written by hand because the shape never
 * changes and a general encoder takes ten times as long: hundreds of calls are encoded for one block.
 */
export function encodeAggregate3(calls: readonly { target: Address; data: Hex }[]): Hex {
  const offsets: string[] = [];
  const bodies: string[] = [];
  let offset = calls.length * 32;
  for (const { target, data } of calls) {
    const digits = data.length - 2;
    const padded = paddedLength(digits);
    offsets.push(word(offset));
    bodies.push(
      target.slice(2).toLowerCase().padStart(WORD, '0'),
      ALLOW_FAILURE,
      CALL_DATA_OFFSET,
      word(digits / 2),
      data.slice(2).padEnd(padded, '0'),
    );
    offset += 4 * 32 + padded / 2;
  }
  return `${SELECTOR}${word(32)}${word(calls.length)}${offsets.join('')}${bodies.join('')}`;
}

/** Whether the data is a call of aggregate3. */
export function isAggregate3(data: Hex): boolean {
  return data.startsWith(SELECTOR);
}

/** Decodes the result of aggregate3. @throws when it has another shape */
export function decodeAggregate3(result: Hex): Aggregate3Result[] {
  const words = new Words(result.slice(2));
  return words.tuples().map((tuple) => ({
    success: words.number(tuple) === 1,
    returnData: words.bytes(tuple, tuple + WORD),
  }));
}

/** Decodes a call of aggregate3. @throws when it has another shape */
export function decodeAggregate3Calls(data: Hex): { target: Address; data: Hex }[] {
  const words = new Words(data.slice(SELECTOR.length));
  return words.tuples().map((tuple) => ({
    target: words.address(tuple),
    data: words.bytes(tuple, tuple + 2 * WORD),
  }));
}

/** Encodes the result of aggregate3. */
export function encodeAggregate3Results(results: readonly Aggregate3Result[]): Hex {
  const offsets: string[] = [];
  const bodies: string[] = [];
  let offset = results.length * 32;
  for (const { success, returnData } of results) {
    const digits = returnData.length - 2;
    const padded = paddedLength(digits);
    offsets.push(word(offset));
    bodies.push(word(Number(success)), word(64), word(digits / 2), returnData.slice(2).padEnd(padded, '0'));
    offset += 3 * 32 + padded / 2;
  }
  return `0x${word(32)}${word(results.length)}${offsets.join('')}${bodies.join('')}`;
}

/** A list of tuples, as hexadecimal digits. Positions are in digits. */
class Words {
  constructor(private readonly digits: string) {}

  number(at: number): number {
    const value = Number.parseInt(this.digits.slice(at, at + WORD), 16);
    if (!Number.isSafeInteger(value)) throw new Error('not a list of aggregate3');
    return value;
  }

  address(at: number): Address {
    return `0x${this.digits.slice(at + WORD - 40, at + WORD)}`;
  }

  /** The positions of the tuples. */
  tuples(): number[] {
    const array = this.number(0) * 2;
    const first = array + WORD;
    return Array.from(
      { length: this.number(array) },
      (_, index) => first + this.number(first + index * WORD) * 2,
    );
  }

  /** @param at the position of the offset of the bytes in their tuple */
  bytes(tuple: number, at: number): Hex {
    const bytes = tuple + this.number(at) * 2;
    const from = bytes + WORD;
    const end = from + this.number(bytes) * 2;
    if (end > this.digits.length) throw new Error('the list of aggregate3 is cut off');
    return `0x${this.digits.slice(from, end)}`;
  }
}
