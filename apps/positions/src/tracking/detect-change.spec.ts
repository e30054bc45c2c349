import { type PositionV1, bandOfFigures } from '@plimsoll/contracts';
import type { BlockRef } from '@plimsoll/evm';
import type { RawLeg, RawPosition } from '@plimsoll/protocols';
import fc from 'fast-check';
import { type Change, detectChange } from './detect-change';
import { positionChange } from './position-event';
import type { PublishedPosition } from './published-position';

const WAD = 10n ** 18n;
const block = { number: 7n, hash: `0x${'ab'.repeat(32)}`, timestamp: 1_700_000_000n } as const;
const key = {
  protocol: 'aave-v3',
  chainId: 1,
  market: 'Market',
  subId: '',
  wallet: `0x${'11'.repeat(20)}`,
} as const;

const leg = (more: Partial<RawLeg> = {}): RawLeg => ({
  symbol: 'WETH',
  address: `0x${'22'.repeat(20)}`,
  side: 'collateral',
  amountRaw: 10n ** 18n,
  scaledRaw: 10n ** 18n,
  decimals: 18,
  priceRaw: 3_000_00000000n,
  priceDecimals: 8,
  oracle: `0x${'33'.repeat(20)}`,
  liquidationThresholdBps: 8_250n,
  usedAsCollateral: true,
  ...more,
});
const debt = (scaledRaw: bigint): RawLeg =>
  leg({
    symbol: 'USDC',
    address: `0x${'44'.repeat(20)}`,
    side: 'debt',
    scaledRaw,
    liquidationThresholdBps: 0n,
  });
const at = (healthFactorRaw: bigint | null, legs: RawLeg[] = [leg(), debt(5n)]): RawPosition => ({
  ...key,
  legs,
  totalCollateralRaw: 3_000_00000000n,
  totalDebtRaw: healthFactorRaw === null ? 0n : 1_000_00000000n,
  priceDecimals: 8,
  healthFactorRaw,
  blockNumber: block.number,
  blockHash: block.hash,
  blockTimestamp: block.timestamp,
  usdPerBaseRaw: 10n ** 18n,
  flags: [],
  verification: 'recomputed',
});

/** State after the events of a series of reads. Null in the series: the wallet held nothing. */
function after(...series: (RawPosition | null)[]): { state: PublishedPosition | null; reasons: string[] } {
  let state: PublishedPosition | null = null;
  const reasons: string[] = [];
  for (const position of series) {
    const change: Change | null = detectChange(state, position);
    if (!change) continue;
    state = positionChange(key, state, position, change, block).after;
    reasons.push(change.reason);
  }
  return { state, reasons };
}
const changeFrom = (before: RawPosition, now: RawPosition | null): Change | null =>
  detectChange(after(before).state, now);

describe('detectChange', () => {
  it('discovers a new position, and reports nothing if there is none', () => {
    expect(detectChange(null, at(2n * WAD))).toEqual({
      reason: 'discovered',
      material: true,
      band: 'low',
      previousBand: null,
      level: 'low',
      previousLevel: null,
      probability7d: null,
    });
    expect(detectChange(null, null)).toBeNull();
  });

  it('interest alone causes no event: amounts move, principals and one basis point do not', () => {
    const grown = [leg({ amountRaw: 10n ** 18n + 5n }), debt(5n)];
    expect(changeFrom(at(2n * WAD), at(2n * WAD - 1n, grown))).toBeNull();
  });

  it('a basis point in health factor is an event, one percent is material', () => {
    const moved = (from: bigint, to: bigint) => changeFrom(at(from * WAD), at(to * WAD));
    expect(moved(20_000n, 19_999n)).toBeNull();
    expect(moved(20_000n, 19_998n)).toMatchObject({ reason: 'health_factor', material: false });
    expect(moved(20_000n, 20_002n)).toMatchObject({ reason: 'health_factor', material: false });
    expect(moved(20_000n, 19_800n)).toMatchObject({ reason: 'health_factor', material: true });
  });

  it('material is measured from the last material event, so that small steps add up', () => {
    const { state } = after(at(20_000n * WAD), at(19_900n * WAD));
    expect(state?.event).toMatchObject({ sequence: 2, material: false });
    expect(detectChange(state, at(19_800n * WAD))).toMatchObject({ material: true });
  });

  it('a changed principal is an act of the user, which is always material', () => {
    expect(changeFrom(at(2n * WAD), at(2n * WAD, [leg(), debt(6n)]))).toMatchObject({
      reason: 'principal',
      material: true,
    });
  });

  it('a debt without a principal: its growth is no change, a repayment or loan is', () => {
    const owing = (scaledRaw: bigint, seconds: bigint): RawPosition => ({
      ...at(2n * WAD, [leg(), { ...debt(scaledRaw), scaledGrows: true }]),
      blockTimestamp: block.timestamp + seconds,
    });
    const before = owing(10n ** 12n, 0n);
    const anHourLater = (scaledRaw: bigint) => changeFrom(before, owing(scaledRaw, 3_600n));
    // 150 % a year.
    expect(anHourLater(10n ** 12n + 171_232_876n)).toBeNull();
    expect(anHourLater(10n ** 12n)).toBeNull();
    expect(anHourLater(10n ** 12n - 3n)).toMatchObject({ reason: 'principal', material: true });
    expect(anHourLater(10n ** 12n + 300_000_000n)).toMatchObject({ reason: 'principal', material: true });
    // A reorg to an earlier block.
    expect(changeFrom(before, owing(10n ** 12n - 5_000n, -12n))).toBeNull();
    expect(changeFrom(before, at(2n * WAD, [leg()]))).toMatchObject({ reason: 'principal' });
    expect(changeFrom(at(2n * WAD, [leg()]), owing(5n, 0n))).toMatchObject({ reason: 'principal' });
  });

  it.each<[string, Partial<RawLeg>]>([
    ['threshold', { liquidationThresholdBps: 8_000n }],
    ['use as collateral', { usedAsCollateral: false }],
    ['oracle', { oracle: `0x${'55'.repeat(20)}` }],
  ])('a changed %s is a parameter, not material by itself', (_name, more) => {
    expect(changeFrom(at(2n * WAD), at(2n * WAD, [leg(more), debt(5n)]))).toMatchObject({
      reason: 'parameter',
      material: false,
    });
  });

  it('a new or removed flag is a parameter change; an event without flags causes none', () => {
    const [calm, inRecovery] = [at(2n * WAD), { ...at(2n * WAD), flags: ['recovery_mode'] as const }];
    expect(changeFrom(calm, inRecovery)).toMatchObject({ reason: 'parameter', material: false });
    expect(changeFrom(inRecovery, calm)).toMatchObject({ reason: 'parameter', material: false });
    const { flags: _unsaid, ...event } = after(calm).state!.event;
    expect(detectChange({ event, materialHealthFactorRaw: 2n * WAD }, inRecovery)).toBeNull();
  });

  it('a band is an event however little the health factor moved', () => {
    const edge = (3n * WAD) / 2n;
    expect(changeFrom(at(edge), at(edge - 1n))).toEqual({
      reason: 'band',
      material: true,
      band: 'moderate',
      previousBand: 'low',
      level: 'moderate',
      previousLevel: 'low',
      probability7d: null,
    });
  });

  it('a level is an event however little the health factor moved, although hysteresis keeps the band', () => {
    const { state } = after(at(WAD - 1n), at(WAD));
    expect(state?.event).toMatchObject({
      reason: 'health_factor',
      material: false,
      band: 'liquidatable',
      level: 'critical',
      previousLevel: 'liquidatable',
    });
    expect(detectChange(state, at(WAD - 1n))).toMatchObject({
      reason: 'health_factor',
      band: 'liquidatable',
      previousBand: 'liquidatable',
      level: 'liquidatable',
      previousLevel: 'critical',
    });
  });

  it('reads the earlier level from an event of an earlier release', () => {
    const { level: _unsaid, previousLevel: _too, ...event } = after(at(WAD - 1n)).state!.event;
    const before = { event, materialHealthFactorRaw: WAD - 1n };
    expect(detectChange(before, at(WAD - 1n))).toBeNull();
    expect(detectChange(before, at(WAD))).toMatchObject({ level: 'critical', previousLevel: 'liquidatable' });
  });

  it('states the deciding probability, and none below a health factor of 1', () => {
    const near = (101n * WAD) / 100n;
    expect(detectChange(null, at(near), 0.004)).toMatchObject({ level: 'low', probability7d: 0.004 });
    expect(detectChange(null, at(near))).toMatchObject({ level: 'critical', probability7d: null });
    expect(detectChange(null, at(WAD - 1n), 1)).toMatchObject({
      level: 'liquidatable',
      probability7d: null,
    });
  });

  it('over any walk, the published level is that of the newest figures, and each fall below 1 is published once', () => {
    const step = fc.bigInt({ min: (90n * WAD) / 100n, max: (110n * WAD) / 100n });
    fc.assert(
      fc.property(fc.array(step, { minLength: 1, maxLength: 30 }), (walk) => {
        let state: PublishedPosition | null = null;
        let published = 0;
        for (const healthFactorRaw of walk) {
          const position = at(healthFactorRaw);
          const change = detectChange(state, position);
          if (change) {
            state = positionChange(key, state, position, change, block).after;
            const { level, previousLevel } = state.event;
            if (level === 'liquidatable' && previousLevel !== 'liquidatable') published += 1;
          }
          expect(state?.event.level).toBe(bandOfFigures(healthFactorRaw, null));
        }
        const falls = walk.filter((now, at) => now < WAD && (at === 0 || walk[at - 1]! >= WAD));
        expect(published).toBe(falls.length);
      }),
    );
  });

  it('a new or closed debt is a change even with the same principals', () => {
    expect(changeFrom(at(2n * WAD), at(null))).toMatchObject({ band: 'none', material: true });
    expect(changeFrom(at(null), at(2n * WAD))).toMatchObject({ band: 'low', material: true });
  });

  it('closes once, and opens again with the next sequence', () => {
    const { state, reasons } = after(at(2n * WAD), null, null, at(2n * WAD));
    expect(reasons).toEqual(['discovered', 'closed', 'principal']);
    expect(state?.event).toMatchObject({ sequence: 3, closed: false, previousBand: 'none' });
  });

  it('the order of legs does not matter', () => {
    expect(changeFrom(at(2n * WAD), at(2n * WAD, [debt(5n), leg()]))).toBeNull();
  });

  it('the state that was just published is never a change', () => {
    const healthFactor = fc.option(fc.bigInt({ min: 0n, max: 5n * WAD }));
    fc.assert(
      fc.property(fc.array(healthFactor, { minLength: 1, maxLength: 12 }), (series) => {
        const { state } = after(...series.map((value) => at(value)));
        const published = state?.event.healthFactorRaw ?? null;
        expect(detectChange(state, at(published === null ? null : BigInt(published)))).toBeNull();
      }),
    );
  });
});

describe('positionChange', () => {
  it('a closed position has no legs, no health factor and totals of zero, and keeps the figure before', () => {
    const { state } = after(at((13n * WAD) / 10n), null);
    expect(state?.event).toMatchObject<Partial<PositionV1>>({
      sequence: 2,
      legs: [],
      healthFactorRaw: null,
      healthFactor: null,
      previousHealthFactor: 1.3,
      totalCollateralRaw: '0',
      totalDebtUsd: 0,
      baseDecimals: 8,
      band: 'none',
      previousBand: 'moderate',
      closed: true,
    });
  });

  describe('after a reorg', () => {
    const orphanedFrom = (more: Partial<PublishedPosition>, to: BlockRef): number | undefined => {
      const before = { ...after(at(2n * WAD)).state!, ...more };
      const now = at(WAD);
      return positionChange(key, before, now, detectChange(before, now)!, to).after.event.orphanedFrom;
    };
    const otherHash = `0x${'cd'.repeat(32)}` as const;

    it('reports from which block on blocks were removed', () => {
      expect(orphanedFrom({ orphanedFrom: 5 }, { ...block, number: 9n })).toBe(5);
      expect(orphanedFrom({}, { ...block, number: 9n })).toBeUndefined();
    });

    it('detects it by the block of the event before: its hash differs, or the chain ends below it', () => {
      expect(orphanedFrom({}, { ...block, hash: otherHash })).toBe(7);
      expect(orphanedFrom({}, { ...block, number: 4n, hash: otherHash })).toBe(5);
      expect(orphanedFrom({ orphanedFrom: 3 }, { ...block, number: 4n })).toBe(3);
      expect(orphanedFrom({}, block)).toBeUndefined();
    });

    it('reports it once', () => {
      const before = { ...after(at(2n * WAD)).state!, orphanedFrom: 5 };
      const next = positionChange(key, before, at(WAD), detectChange(before, at(WAD))!, block).after;
      const later = detectChange(next, at(2n * WAD))!;
      expect(positionChange(key, next, at(2n * WAD), later, block).after.event.orphanedFrom).toBeUndefined();
    });
  });
});
