import type { Json } from './canonical';

/**
 * A double as text: the shortest decimal that every language reads as the same bits, in the form of ECMAScript.
 * @throws RangeError for a value that is no number
 */
export function numberText(value: number): string {
  if (!Number.isFinite(value)) throw new RangeError(`${value} is not finite`);
  return Object.is(value, -0) ? '-0' : String(value);
}

/** Whether a value is the one text of a double. */
export function isNumberText(value: Json | undefined): boolean {
  if (typeof value !== 'string') return false;
  const read = Number(value);
  return Number.isFinite(read) && numberText(read) === value;
}
