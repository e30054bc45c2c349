import type { PriceV1 } from '@plimsoll/contracts';
import { confidenceBasis, scoreOf } from '../content/confidence-score';
import { sourceAgreement } from './source-agreement';

const NOW = Date.parse('2026-11-23T12:00:00.000Z');
type Source = PriceV1['sources'][number];
const source = (priceUsd: number, ageMs: number, over: Partial<Source> = {}): Source => ({
  source: 'chainlink',
  chainId: 1,
  state: 'used',
  priceUsd,
  observedAt: new Date(NOW - ageMs).toISOString(),
  heartbeatMs: 3_600_000,
  ...over,
});
const scoreWith = (...sources: Source[]): number =>
  scoreOf(confidenceBasis(0, sourceAgreement({ sources, spreadPercent: null })));

describe('sourceAgreement', () => {
  it('a source that has not observed a true fall of 10 % yet does not contradict one that has', () => {
    // Both are within their heartbeats: the spread of 10.5 % made the score 0.
    const sources = [source(2_700, 0), source(3_000, 40_000, { chainId: 10 })];
    expect(scoreWith(...sources)).toBe(0.9);
    expect(sourceAgreement({ sources, spreadPercent: 10.5 })).toEqual({ sources: 1, spreadPercent: null });
  });

  it('a stale, silent or paused source does not count', () => {
    const others = (['stale', 'down', 'sequencer_down'] as const).map((state) => source(3_000, 0, { state }));
    expect(scoreWith(source(2_700, 0), ...others)).toBe(0.9);
  });

  it('sources with different prices at the same time disagree', () => {
    expect(scoreWith(source(2_700, 0), source(3_000, 500, { state: 'deviant' }))).toBe(0);
    expect(scoreWith(source(3_000, 0), source(3_030, 500))).toBeCloseTo(0.5025, 3);
  });

  it('an older source that agrees confirms', () => {
    expect(scoreWith(source(3_000, 0), source(3_000.3, 60_000))).toBeCloseTo(0.995, 6);
  });

  it('an older source never lowers the score', () => {
    for (const price of [2_000, 2_950, 2_990, 3_000, 3_010, 4_000])
      expect(scoreWith(source(3_000, 0), source(price, 60_000))).toBeGreaterThanOrEqual(0.9);
  });

  it('an event without sources keeps its own figures', () => {
    expect(sourceAgreement({ sources: [], spreadPercent: 0.5 })).toEqual({ sources: 2, spreadPercent: 0.5 });
    expect(sourceAgreement({ sources: [], spreadPercent: null })).toEqual({
      sources: 1,
      spreadPercent: null,
    });
  });
});

describe('confidenceBasis', () => {
  it('names every factor', () => {
    expect(confidenceBasis(5, { sources: 3, spreadPercent: 0.5 })).toEqual({
      blocksBehind: 5,
      ageFactor: 0.75,
      sources: 3,
      spreadPercent: 0.5,
      spreadFactor: 0.75,
      text: '5 blocks behind (factor 0.75); 3 price sources within 0.5 % (factor 0.75).',
    });
    expect(confidenceBasis(1, null).text).toBe(
      '1 block behind (factor 0.95); one price source, the oracle of the protocol (factor 0.9).',
    );
  });
});
