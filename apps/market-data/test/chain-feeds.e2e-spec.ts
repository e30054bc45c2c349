import { devnetAsset } from '@plimsoll/devnet';
import { createChainClient } from '@plimsoll/evm';
import { Clock } from '@plimsoll/service-kit';
import { numberToHex } from 'viem';
import { ChainFeedSource } from '../src/feeds/chain-feed-source';
import type { ChainFeeds } from '../src/feeds/feed-table';
import { type LocalMarket, startLocalMarket } from './local-market';

const HOUR_MS = 3_600_000;
const WORD = 32;

describe('the feeds of a chain', () => {
  let local: LocalMarket;
  const clock = new Clock();

  beforeAll(async () => {
    local = await startLocalMarket();
  }, 120_000);
  afterAll(async () => {
    await local.close();
  });

  const client = () => createChainClient({ chainId: 1, rpcUrl: local.node.url });
  function sourceOf(over: Partial<ChainFeeds>): ChainFeedSource {
    const { aggregator } = devnetAsset(local.addresses, 'WETH');
    const feeds = [{ asset: 'ETH', address: aggregator, heartbeatMs: HOUR_MS }];
    const chain = { chainId: 1, source: 'local-market' as const, sequencer: null, feeds, ...over };
    return new ChainFeedSource(chain, client(), local.addresses.multicall3, 100, clock);
  }

  it('does not use a feed that does not name its asset', async () => {
    expect((await sourceOf({ source: 'chainlink' }).read()).quotes).toEqual([]);
    expect((await sourceOf({}).read()).quotes).toMatchObject([
      { asset: 'ETH', priceRaw: 3_150n * 10n ** 18n },
    ]);
  });

  it('omits an address without a feed, and reads the others', async () => {
    const feeds = [
      { asset: 'BTC', address: local.addresses.pool, heartbeatMs: HOUR_MS },
      { asset: 'ETH', address: devnetAsset(local.addresses, 'WETH').aggregator, heartbeatMs: HOUR_MS },
    ];
    const { quotes } = await sourceOf({ feeds }).read();
    expect(quotes.map(({ asset }) => asset)).toEqual(['ETH']);
  });

  it('the sequencer is down while its feed says so, for an hour after it is up again, and when the feed is silent', async () => {
    const uptime = devnetAsset(local.addresses, 'LINK').aggregator;
    const source = sourceOf({ sequencer: uptime });
    // Any value except 0 means down.
    expect((await source.read()).isSequencerDown).toBe(true);
    const zero = numberToHex(0, { size: WORD });
    await client().request('anvil_setStorageAt', [uptime, zero, zero]);
    await client().request('evm_mine', []);
    expect((await source.read()).isSequencerDown).toBe(true);
    clock.now = () => Date.now() + HOUR_MS + 60_000;
    expect((await source.read()).isSequencerDown).toBe(false);
    expect((await sourceOf({ sequencer: local.addresses.pool }).read()).isSequencerDown).toBe(true);
  });
});
