import { type Static, Type } from '@sinclair/typebox';

const address = Type.Unsafe<`0x${string}`>(Type.String({ pattern: '^0x[0-9a-fA-F]{40}$' }));

/** The price feeds of one chain. */
export const ChainFeeds = Type.Object({
  chainId: Type.Integer({ minimum: 1 }),
  /** local-market: the feeds of a local chain, moved by its simulated market. */
  source: Type.Union([Type.Literal('chainlink'), Type.Literal('local-market')]),
  /** Uptime feed of an L2's sequencer. Null on a chain without one. */
  sequencer: Type.Union([address, Type.Null()]),
  feeds: Type.Array(
    Type.Object({
      /** Named by priceSymbol. */
      asset: Type.String({ minLength: 1 }),
      address,
      heartbeatMs: Type.Integer({ minimum: 1 }),
      /** Token whose complete supply is on this chain. Supply times price is the market capitalisation. */
      token: Type.Optional(address),
    }),
  ),
});
export type ChainFeeds = Static<typeof ChainFeeds>;

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

const feed = (asset: string, address: `0x${string}`, heartbeatMs: number): ChainFeeds['feeds'][number] => ({
  asset,
  address,
  heartbeatMs,
});

/**
 * Chainlink's USD feeds, as published by Chainlink. A token without its own feed (WBTC) has no row. The
 * service reads the `description` of each feed at start, and does not use a feed whose description does not
 * name the asset.
 */
export const PRICE_FEEDS: readonly ChainFeeds[] = [
  {
    chainId: 1,
    source: 'chainlink',
    sequencer: null,
    feeds: [
      feed('ETH', '0x5f4eC3Df9cbd43714FE2740f5E3616155c5b8419', HOUR_MS),
      feed('BTC', '0xF4030086522a5bEEa4988F8cA5B36dbC97BeE88c', HOUR_MS),
      feed('LINK', '0x2c1d072e956AFFC0D435Cb7AC38EF18d24d9127c', HOUR_MS),
      feed('AAVE', '0x547a514d5e3769680Ce22B2361c10Ea13619e8a9', HOUR_MS),
      feed('STETH', '0xCfE54B5cD566aB89272946F602D76Ea879CAb4a8', HOUR_MS),
      feed('USDC', '0x8fFfFfd4AfB6115b954Bd326cbe7B4BA576818f6', DAY_MS),
      feed('USDT', '0x3E7d1eAB13ad0104d2750B8863b489D65364e32D', DAY_MS),
      feed('DAI', '0xAed0c38402a5d19df6E4c03F4E2DceD6e29c1ee9', HOUR_MS),
    ],
  },
  {
    chainId: 42_161,
    source: 'chainlink',
    sequencer: '0xFdB631F5EE196F0ed6FAa767959853A9F217697D',
    feeds: [
      feed('ETH', '0x639Fe6ab55C921f74e7fac1ee960C0B6293ba612', DAY_MS),
      feed('BTC', '0x6ce185860a4963106506C203335A2910413708e9', DAY_MS),
      feed('USDC', '0x50834F3163758fcC1Df9973b6e91f0F0F0434aD3', DAY_MS),
    ],
  },
  {
    chainId: 8_453,
    source: 'chainlink',
    sequencer: '0xBCF85224fc0756B9Fa45aA7892530B47e10b6433',
    feeds: [feed('ETH', '0x71041dddad3595F9CEd3DcCFBe3D1F4b0a16Bb70', 20 * 60_000)],
  },
  {
    chainId: 10,
    source: 'chainlink',
    sequencer: '0x371EAD81c9102C9BF4874A9075FFFf170F2Ee389',
    feeds: [feed('ETH', '0x13e3Ee699D1909E989722E753853AE30b17e08c5', 20 * 60_000)],
  },
];
