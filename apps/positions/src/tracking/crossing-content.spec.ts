import { samplePosition, sampleWallet } from '@plimsoll/testing';
import { wrongCrossingPart, type Json } from '@plimsoll/receipts';
import { crossingContent, isCrossing } from './crossing-content';
import type { Change } from './detect-change';

const WALLET = sampleWallet(1);
const ROW = {
  protocol: 'aave-v3',
  family: 'aave-v3',
  chainId: 1,
  market: 'Market',
  contracts: { pool: `0x${'AB'.repeat(20)}`, version: 3 },
};

const change = (over: Partial<Change>): Change => ({
  reason: 'health_factor',
  material: false,
  band: 'high',
  previousBand: 'high',
  level: 'high',
  previousLevel: 'high',
  probability7d: null,
  ...over,
});

describe('isCrossing', () => {
  it.each<[string, boolean, Partial<Change>]>([
    ['another band', true, { band: 'critical', level: 'critical' }],
    [
      'a recovery past the hysteresis',
      true,
      { band: 'moderate', level: 'moderate', previousLevel: 'moderate' },
    ],
    ['a fall below 1 within its band', true, { level: 'liquidatable' }],
    ['a rise above 1 within its band', true, { previousLevel: 'liquidatable' }],
    ['a level within the hysteresis', false, { level: 'moderate' }],
    ['figures of the same band', false, {}],
    ['a closed position', true, { reason: 'closed', band: 'none', level: 'none' }],
    ['a first reading in danger', true, { reason: 'discovered', previousBand: null, previousLevel: null }],
    [
      'a first reading in a mild band',
      false,
      { reason: 'discovered', band: 'moderate', level: 'moderate', previousBand: null, previousLevel: null },
    ],
  ])('%s: %s', (_, expected, over) => {
    expect(isCrossing(change(over))).toBe(expected);
  });
});

describe('crossingContent', () => {
  const before = samplePosition(WALLET, 1, 'moderate');
  const after = samplePosition(WALLET, 2, 'critical');
  const wrongPartOf = (content: object): string | null =>
    wrongCrossingPart({
      content: content as Json,
      hash: 'a'.repeat(64),
      signature: { keyId: 'k', signedAt: 1, value: 'A'.repeat(86) },
    });

  it('has the form of a receipt, also without a reading before', () => {
    expect(wrongPartOf(crossingContent(ROW, before, after, true))).toBeNull();
    expect(wrongPartOf(crossingContent(ROW, null, after, true))).toBeNull();
  });

  it('names a formula only for figures that our arithmetic gives, and for no proxy', () => {
    const formula = { name: 'aave-v3', version: 1 };
    expect(crossingContent(ROW, before, after, true).formula).toEqual(formula);
    expect(crossingContent(ROW, before, after, false).formula).toBeNull();
    const proxy = { kind: 'ds-proxy', address: WALLET } as const;
    expect(crossingContent(ROW, before, { ...after, proxy }, true).formula).toBeNull();
    expect(crossingContent({ ...ROW, family: 'other' }, before, after, true).formula).toBeNull();
  });

  it('names none for shares of Euler whose prices are of other protocols', () => {
    const row = { ...ROW, family: 'euler-v2' };
    const formulaOf = (oracles: readonly string[]) =>
      crossingContent(
        row,
        null,
        { ...after, legs: oracles.map((oracle) => ({ ...after.legs[0]!, oracle })) },
        true,
      ).formula;
    const [own, other] = [`0x${'a'.repeat(40)}`, `0x${'b'.repeat(40)}`];
    expect(formulaOf([own, own])).toEqual({ name: 'euler-v2', version: 1 });
    expect(formulaOf([own, other])).toBeNull();
    expect(formulaOf([])).toBeNull();
  });

  it('states the level of the figures for an event of an earlier release', () => {
    const { level: _unsaid, ...older } = {
      ...before,
      healthFactorRaw: '1300000000000000000',
      band: 'high' as const,
    };
    expect(crossingContent(ROW, older, after, true).before!.level).toBe('moderate');
  });

  it('states a probability in whole numbers', () => {
    const decided = { ...after, healthFactorRaw: '1050000000000000000', probability7d: 0.1 };
    expect(crossingContent(ROW, before, decided, true).after).toMatchObject({
      level: 'high',
      probability7d: '100000000000000000',
    });
  });
});
