const UNIT_MS = { s: 1_000, m: 60_000, h: 3_600_000 };

/**
 * Parses `90s`, `10m` or `8h`.
 * @returns milliseconds, or undefined for any other text
 */
export function parseDuration(text: string): number | undefined {
  const match = /^([1-9]\d{0,5})([smh])$/.exec(text);
  return match ? Number(match[1]) * UNIT_MS[match[2] as keyof typeof UNIT_MS] : undefined;
}
