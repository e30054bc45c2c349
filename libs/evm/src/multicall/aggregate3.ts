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

/** Decodes the result of aggregate3. @throws when it has another shape */
export function decodeAggregate3(result: Hex): Aggregate3Result[] {
  const digits = result.slice(2);
  const number = (at: number): number => {
    const value = Number.parseInt(digits.slice(at, at + WORD), 16);
    if (!Number.isSafeInteger(value)) throw new Error('not a result of aggregate3');
    return value;
  };
  const array = number(0) * 2;
  const count = number(array);
  const first = array + WORD;
  return Array.from({ length: count }, (_, index) => {
    const tuple = first + number(first + index * WORD) * 2;
    const bytes = tuple + number(tuple + WORD) * 2;
    const length = number(bytes) * 2;
    const from = bytes + WORD;
    if (from + length > digits.length) throw new Error('the result of aggregate3 is cut off');
    return { success: number(tuple) === 1, returnData: `0x${digits.slice(from, from + length)}` };
  });
}
