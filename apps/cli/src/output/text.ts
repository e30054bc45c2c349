/** Controls, marks that change the direction of text, and invisible tags. */
const UNPRINTABLE =
  // oxlint-disable-next-line no-control-regex
  /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\u{e0000}-\u{e007f}]/gu;

/** Returns text of the API for a terminal. A name may contain escape sequences, and a terminal would obey them. */
export const printable = (text: string): string => text.replaceAll(UNPRINTABLE, '\u{fffd}');

/** Returns JSON with exact amounts as digits. Everything that a terminal could obey is escaped. */
export function toJson(value: unknown, indent = 0): string {
  const text = JSON.stringify(
    value,
    (_, each: unknown) => (typeof each === 'bigint' ? each.toString() : each),
    indent,
  );
  return text.replaceAll(UNPRINTABLE, (letter) =>
    letter === '\n'
      ? letter
      : Array.from(
          { length: letter.length },
          (_, at) => `\\u${letter.charCodeAt(at).toString(16).padStart(4, '0')}`,
        ).join(''),
  );
}

/** 1234567.891 → 1,234,568; small amounts keep two digits. */
export const usd = (value: number): string =>
  value.toLocaleString('en-US', { maximumFractionDigits: Math.abs(value) < 1_000 ? 2 : 0 });

export const percent = (share: number): string => `${(share * 100).toFixed(share < 0.01 ? 3 : 1)} %`;

/** 2026-11-26T09:00:00.000Z → 2026-11-26 09:00:00 */
export const time = (iso: string): string => iso.replace('T', ' ').replace(/(\.\d+)?Z$/, '');
