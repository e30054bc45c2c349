import type { PriceV1 } from '@plimsoll/contracts';
import type { ReceivedEvent } from '@plimsoll/event-bus';
import { samplePrice } from '../../test/samples';
import { assetPrice } from './asset-price';
import { freshTicks } from './fresh-ticks';

const NOW = 1_800_000_000_000;
const received = (value: PriceV1 | null, key = value?.asset ?? 'ETH'): ReceivedEvent<PriceV1> => ({
  id: 'evt',
  key,
  value,
  time: NOW,
  offset: '0',
  partition: 0,
});

describe('freshTicks', () => {
  it('returns each price with the one before it, and omits stored or older ones', () => {
    const [first, second, third] = [1, 2, 3].map((at) => samplePrice('ETH', at * 1_000, NOW + at));
    const known = new Map([['ETH', assetPrice(first!)]]);
    const btc = samplePrice('BTC', 90_000, NOW);
    const events = [first!, third!, second!, third!, btc].map((value) => received(value));
    const ticks = freshTicks([...events, received(null)], known);
    expect(ticks.map(({ price, previous }) => [price.priceUsd, previous?.priceUsd ?? null])).toEqual([
      [3_000, 1_000],
      [90_000, null],
    ]);
  });

  it('expects the next price within two heartbeats', () => {
    const price = samplePrice('ETH', 2_000, NOW, { heartbeatMs: 60_000 });
    expect(freshTicks([received(price)], new Map())[0]?.price.silentAtMs).toBe(NOW + 120_000);
  });
});
