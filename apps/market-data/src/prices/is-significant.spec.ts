import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { PriceV1 } from '@plimsoll/contracts';
import { isSignificant } from './is-significant';

const fixture = path.join(__dirname, '../../../../libs/contracts/src/events/fixtures/price.v1.json');
const before = JSON.parse(readFileSync(fixture, 'utf8')) as PriceV1;
const now = Date.parse(before.publishedAt) + 1_000;
const policy = { moveBps: 1, heartbeatMs: 60_000 };
const moved = (bps: bigint): PriceV1 => ({
  ...before,
  priceRaw: String((BigInt(before.priceRaw) * (100_000n + bps * 10n)) / 100_000n),
});

describe('isSignificant', () => {
  it('the first price is', () => {
    expect(isSignificant(undefined, before, now, policy)).toBe(true);
  });

  it('a move of the limit is, a smaller one is not', () => {
    expect(
      isSignificant(before, { ...before, priceRaw: `${before.priceRaw.slice(0, -1)}7` }, now, policy),
    ).toBe(false);
    expect(isSignificant(before, moved(1n), now, policy)).toBe(true);
    expect(isSignificant(before, moved(-2n), now, policy)).toBe(true);
  });

  it('with a limit of 0 every change is', () => {
    const smallest = { ...before, priceRaw: `${before.priceRaw.slice(0, -1)}7` };
    expect(isSignificant(before, smallest, now, { ...policy, moveBps: 0 })).toBe(true);
    expect(isSignificant(before, before, now, { ...policy, moveBps: 0 })).toBe(false);
  });

  it('a flag or the state of a source is', () => {
    expect(isSignificant(before, { ...before, isStale: true }, now, policy)).toBe(true);
    const sources = before.sources.map((source) => ({ ...source, state: 'stale' as const }));
    expect(isSignificant(before, { ...before, sources }, now, policy)).toBe(true);
  });

  it('the same price is when the heartbeat is due', () => {
    expect(isSignificant(before, before, now + 40_000, policy)).toBe(false);
    expect(isSignificant(before, before, now + 50_000, policy)).toBe(true);
  });
});
