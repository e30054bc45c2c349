/** A published measurement of one sale: the amount, and either its average loss or the fall of the price. */
export type DepthMeasurement = {
  soldUsd: number;
  /** Publisher and content of the measurement. */
  source: string;
  /** When it was measured: a year and a month, or a year. */
  measuredIn: string;
} & ({ averageLoss: number } | { priceFall: number });

/** Assets that trade in a similar way. */
export type DepthClass = 'btc' | 'eth' | 'steth' | 'large_stable' | 'listed' | 'unknown';

/**
 * The measurements of each class. Only the sell side counts; half of the figure if a source counts both sides
 * of a book.
 * - btc: 6,800 BTC within 2 % of the price in the dollar-coin pairs of 15 exchanges, the lowest for a year
 *   (Kaiko, spring 2023),
 * at 27,000 USD; half of it are bids.
 * - eth: 86 million USD within 2 % over its dollar, USDT and BTC pairs (market depth of centralised
 *   exchanges, September 2025);
 * half of it are bids. For comparison, 5 million USD lost 0.5 % on Uniswap v3 alone (Liao and Robinson, "The
 * Dominance of
 * Uniswap v3 Liquidity", May 2022).
 * - steth: large sales of stETH for ETH lost 36 basis points on average while it traded below ETH (Integral,
 *   May and June
 * 2022: 68 of them above 10 million USD). The proceeds are then sold as ETH.
 * - large_stable: 100 million USDT for USDC lost less than 1 % (Chaos Labs on the Aave governance forum,
 *   December 2024).
 * - listed: 15 million ARB, 17 million USD, within 7.5 % (half of the supply cap that Chaos Labs proposed to
 *   Aave in
 * May 2023 as twice the amount that can be sold for that loss). It also covers governance tokens, smaller
 * stable coins and other
 * staked tokens that large lending markets list.
 * - unknown: 100,000 USD of WLD lost 6.3 % on Uniswap v3 (Kaiko, October 2023).
 */
export const MEASURED_DEPTHS: Readonly<Record<DepthClass, DepthMeasurement>> = {
  btc: {
    soldUsd: 92e6,
    priceFall: 0.02,
    source: 'Kaiko: dollar-coin pairs of 15 exchanges within 2 %, half of both sides',
    measuredIn: '2023',
  },
  eth: {
    soldUsd: 43e6,
    priceFall: 0.02,
    source: 'Centralised exchanges: dollar, USDT and BTC pairs within 2 %, half of both sides',
    measuredIn: '2025-09',
  },
  steth: {
    soldUsd: 10e6,
    averageLoss: 0.0036,
    source: 'Integral: large sales of stETH for ETH, then sold as ETH',
    measuredIn: '2022-06',
  },
  large_stable: {
    soldUsd: 100e6,
    averageLoss: 0.01,
    source: 'Chaos Labs: 100 million USDT for USDC',
    measuredIn: '2024-12',
  },
  listed: {
    soldUsd: 17e6,
    averageLoss: 0.075,
    source: 'Chaos Labs: ARB, half of the supply cap for 7.5 %',
    measuredIn: '2023-05',
  },
  unknown: {
    soldUsd: 100_000,
    averageLoss: 0.063,
    source: 'Kaiko: WLD on Uniswap v3',
    measuredIn: '2023-10',
  },
};

export const STETH_SYMBOLS: ReadonlySet<string> = new Set(['STETH', 'WSTETH']);
export const LARGE_STABLE_SYMBOLS: ReadonlySet<string> = new Set([
  'USDC',
  'USDT',
  'DAI',
  'USDS',
  'XDAI',
  'WXDAI',
]);
/** Volatile assets that are collateral on large lending markets. */
export const LISTED_SYMBOLS: ReadonlySet<string> = new Set(
  'AAVE ARB AVAX BAL BNB CAKE CELO COMP CRV DOT ENS GNO GRT LDO LINK MKR MORPHO OP PENDLE POL RPL SKY SNX SOL SUSHI UNI XRP YFI'.split(
    ' ',
  ),
);
