import { type OracleCondition, type OraclePrice, nextOracleCondition } from './oracle-condition';

const MINUTE_MS = 60_000;
const NOW = Date.parse('2026-11-27T12:00:00.000Z');

/** A price and the market price beside it. Null: no fresh one. */
interface Reading {
  minute: number;
  oracleUsd?: number;
  marketUsd: number | null;
  /** Minutes that its event was late. */
  lateBy?: number;
}

describe('nextOracleCondition', () => {
  /** Passes readings in order, and returns the changes of the severity as `minute severity`. */
  const changesOf = (...readings: Reading[]): string[] => {
    let known: OracleCondition | null = null;
    const changes: string[] = [];
    for (const { minute, oracleUsd = 2_000, marketUsd, lateBy = 0 } of readings) {
      const price: OraclePrice = {
        protocol: 'aave-v3',
        chainId: 1,
        oracle: `0x${'b'.repeat(40)}`,
        token: `0x${'a'.repeat(40)}`,
        asset: 'ETH',
        priceUsd: oracleUsd,
        block: minute,
        publishedAtMs: NOW + minute * MINUTE_MS,
      };
      const time = { nowMs: price.publishedAtMs + lateBy * MINUTE_MS, heartbeatMs: MINUTE_MS };
      const before: OracleCondition | null = known;
      known = nextOracleCondition(price, before, marketUsd, time);
      if (known.severity !== (before?.severity ?? null)) changes.push(`${minute} ${known.severity}`);
    }
    return changes;
  };
  const minutes = (from: number, to: number, over: Omit<Reading, 'minute'>): Reading[] =>
    Array.from({ length: to - from + 1 }, (_, at) => ({ minute: from + at, ...over }));

  it('opens after five minutes without a break, gets worse with one price, and ends below 1 %', () => {
    expect(
      changesOf(
        ...minutes(0, 5, { marketUsd: 1_950 }),
        { minute: 6, marketUsd: 1_900 },
        { minute: 7, marketUsd: 1_979 },
        { minute: 8, marketUsd: 1_981 },
      ),
    ).toEqual(['5 medium', '6 high', '8 null']);
  });

  it('is the same when the oracle moves and the market does not, in both directions', () => {
    expect(changesOf(...minutes(0, 5, { oracleUsd: 1_940, marketUsd: 2_000 }))).toEqual(['5 medium']);
    expect(changesOf(...minutes(0, 5, { oracleUsd: 2_200, marketUsd: 2_000 }))).toEqual(['5 high']);
  });

  it('does not open for a short deviation, or after a break in which nothing was read', () => {
    expect(changesOf(...minutes(0, 4, { marketUsd: 1_900 }), { minute: 5, marketUsd: 2_000 })).toEqual([]);
    expect(
      changesOf(...minutes(0, 2, { marketUsd: 1_900 }), ...minutes(6, 10, { marketUsd: 1_900 })),
    ).toEqual([]);
    expect(changesOf(...minutes(0, 2, { marketUsd: 1_900 }), ...minutes(5, 6, { marketUsd: 1_900 }))).toEqual(
      ['5 high'],
    );
  });

  it('judges no price without a fresh market price, none of zero, and none that arrives late', () => {
    expect(changesOf(...minutes(0, 9, { marketUsd: null }))).toEqual([]);
    expect(changesOf(...minutes(0, 9, { oracleUsd: 0, marketUsd: 2_000 }))).toEqual([]);
    expect(changesOf(...minutes(0, 9, { marketUsd: 1_900, lateBy: 4 }))).toEqual([]);
    const open = minutes(0, 5, { marketUsd: 1_900 });
    expect(changesOf(...open, { minute: 6, marketUsd: null }, { minute: 7, marketUsd: 2_000 })).toEqual([
      '5 high',
      '7 null',
    ]);
  });
});
