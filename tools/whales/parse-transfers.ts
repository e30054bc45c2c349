import type { TokenTransfer } from '@plimsoll/whale-clusters';

/**
 * The transfers in JSON lines, oldest first.
 * @throws naming the invalid line
 */
export function parseTransfers(text: string): TokenTransfer[] {
  const transfers = text.split('\n').flatMap((line, at): TokenTransfer[] => {
    if (line.trim() === '') return [];
    const { from, to, usd, block, timestamp } = objectIn(line, at);
    if (typeof from !== 'string' || typeof to !== 'string' || from === '' || to === '') {
      throw new Error(`line ${at + 1} names no "from" and "to": write both as text`);
    }
    return [
      {
        from: from.toLowerCase(),
        to: to.toLowerCase(),
        usd: typeof usd === 'number' && Number.isFinite(usd) ? usd : null,
        block: placeOf(block) ?? placeOf(timestamp) ?? at,
      },
    ];
  });
  return transfers.sort((a, b) => a.block - b.block);
}

function objectIn(line: string, at: number): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(line);
    if (typeof value === 'object' && value !== null) return value as Record<string, unknown>;
  } catch {
    // The error below names the line.
  }
  throw new Error(`line ${at + 1} is no JSON object: write one transfer a line`);
}

/** A number, or a moment in milliseconds. Null for anything else. */
function placeOf(value: unknown): number | null {
  if (typeof value === 'number' && Number.isFinite(value)) return value;
  const moment = typeof value === 'string' ? Date.parse(value) : NaN;
  return Number.isNaN(moment) ? null : moment;
}
