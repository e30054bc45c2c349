/** Exact amounts are decimal digits in fields whose names end in `Raw`. */
const DIGITS = /^-?\d+$/;

/** Parses JSON of the API. Exact amounts become bigint. @throws SyntaxError */
export function parseJson(text: string): unknown {
  return JSON.parse(text, (key, value: unknown) =>
    typeof value === 'string' && key.endsWith('Raw') && DIGITS.test(value) ? BigInt(value) : value,
  ) as unknown;
}

/** Returns JSON for the API. A bigint becomes decimal digits. */
export function formatJson(value: unknown): string {
  return JSON.stringify(value, (_, each: unknown) => (typeof each === 'bigint' ? each.toString() : each));
}
