import fc from 'fast-check';
import { findAsset } from '../assets/asset-table';
import { type SourceView, combineQuotes } from './combine-quotes';
import { toPriceRaw, toUsd } from '../sources/price-raw';

const NOW = Date.UTC(2026, 10, 21, 12);
const HOUR_MS = 3_600_000;
const eth = findAsset('ETH')!;

function view(
  source: SourceView['source'],
  usd: number,
  over: Partial<SourceView> = {},
  ageMs = 1_000,
): SourceView {
  return {
    source,
    chainId: source === 'chainlink' ? 1 : null,
    heartbeatMs: HOUR_MS,
    isDown: false,
    isSequencerDown: false,
    quote: {
      asset: 'ETH',
      priceRaw: toPriceRaw(usd),
      observedAtMs: NOW - ageMs,
      marketCapUsd: null,
      change24h: null,
    },
    ...over,
  };
}

const statesOf = (price: ReturnType<typeof combineQuotes>) => price?.sources.map(({ state }) => state);
const three = (third: SourceView) => [view('chainlink', 3_000), view('coingecko', 3_003), third];

describe('combineQuotes', () => {
  it('uses the median of sources that agree', () => {
    const price = combineQuotes(eth, three(view('defillama', 3_001)), null, NOW);
    expect(toUsd(price!.priceRaw)).toBe(3_001);
    expect(price).toMatchObject({ isStale: false, isDeviating: false, pegDeviationPercent: null });
    expect(price?.spreadPercent).toBeCloseTo(0.1, 3);
  });

  it('omits a source that is wrong by 10 %', () => {
    const price = combineQuotes(eth, three(view('defillama', 3_300)), null, NOW);
    expect(toUsd(price!.priceRaw)).toBe(3_001.5);
    expect(price).toMatchObject({ isStale: false, isDeviating: true });
    expect(statesOf(price)).toEqual(['used', 'used', 'deviant']);
  });

  it('uses the feed on chain when two sources contradict each other', () => {
    const price = combineQuotes(eth, [view('coingecko', 3_300), view('chainlink', 3_000)], null, NOW);
    expect(toUsd(price!.priceRaw)).toBe(3_000);
    expect(price?.isDeviating).toBe(true);
    expect(statesOf(price)).toEqual(['used', 'deviant']);
  });

  it('omits a source that is silent for more than 1.5 heartbeats', () => {
    const at = (hours: number) =>
      combineQuotes(eth, three(view('defillama', 2_000, {}, hours * HOUR_MS)), null, NOW);
    expect(statesOf(at(1.4))).toEqual(['used', 'used', 'deviant']);
    expect(statesOf(at(1.6))).toEqual(['used', 'used', 'stale']);
    expect(at(1.6)?.isDeviating).toBe(false);
  });

  it('omits the feeds of a chain whose sequencer is down', () => {
    const l2 = view('chainlink', 2_000, { chainId: 42_161, isSequencerDown: true });
    expect(statesOf(combineQuotes(eth, [l2, view('coingecko', 3_000)], null, NOW))).toEqual([
      'sequencer_down',
      'used',
    ]);
  });

  it('keeps the last known price when all are down', () => {
    const known = { priceRaw: toPriceRaw(2_990), observedAtMs: NOW - HOUR_MS };
    const price = combineQuotes(eth, [view('chainlink', 3_000, { isDown: true })], known, NOW);
    expect(toUsd(price!.priceRaw)).toBe(2_990);
    expect(price).toMatchObject({ isStale: true, observedAtMs: NOW - HOUR_MS });
  });

  it('has no price when none was ever known', () => {
    expect(combineQuotes(eth, [view('chainlink', 1, { quote: null })], null, NOW)).toBeNull();
  });

  it('reports a coin that is off its peg', () => {
    const usdc = findAsset('USDC')!;
    expect(combineQuotes(usdc, [view('chainlink', 0.99)], null, NOW)).toMatchObject({ isDepegged: false });
    const depegged = combineQuotes(usdc, [view('chainlink', 0.97)], null, NOW);
    expect(depegged?.isDepegged).toBe(true);
    expect(depegged?.pegDeviationPercent).toBeCloseTo(-3, 9);
  });

  it('never leaves the range of the sources that it uses, and one wrong source of three never moves it beyond the others', () => {
    const near = fc.double({ min: 0.995, max: 1.005, noNaN: true });
    fc.assert(
      fc.property(near, near, fc.double({ min: 0.01, max: 100, noNaN: true }), (a, b, wrong) => {
        const [low, high] = [3_000 * Math.min(a, b), 3_000 * Math.max(a, b)];
        const views = [
          view('chainlink', 3_000 * a),
          view('coingecko', 3_000 * b),
          view('defillama', 3_000 * wrong),
        ];
        const usd = toUsd(combineQuotes(eth, views, null, NOW)!.priceRaw);
        return usd >= low * (1 - 1e-12) && usd <= high * (1 + 1e-12);
      }),
    );
  });
});
