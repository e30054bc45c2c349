/** The listing of one asset on the devnet's market. Ratios are in basis points, `priceUsd` has 8 decimals. */
export interface AssetListing {
  symbol: string;
  name: string;
  decimals: number;
  /** The initial price and anchor of the seeded market. */
  priceUsd: bigint;
  /** Whole tokens in circulation: those of the real asset in round figures. */
  circulation: bigint;
  ltvBps: bigint;
  liquidationThresholdBps: bigint;
  /** 10,500 means that a liquidator gets 5 % more. 0 with a threshold of 0: never collateral. */
  liquidationBonusBps: bigint;
  reserveFactorBps: bigint;
  eModeCategory: 0 | 1;
  curve: 'stable' | 'volatile';
  stableRateBorrowing: boolean;
}

const stable = { eModeCategory: 1, curve: 'stable', reserveFactorBps: 1_000n } as const;
const volatile = {
  eModeCategory: 0,
  curve: 'volatile',
  reserveFactorBps: 1_500n,
  stableRateBorrowing: false,
} as const;

/** The devnet's market, with the parameters of Aave V3 on Ethereum in round figures. */
export const ASSETS: readonly AssetListing[] = [
  {
    ...volatile,
    symbol: 'WETH',
    name: 'Wrapped Ether',
    decimals: 18,
    priceUsd: 3_150_00000000n,
    circulation: 120_000_000n,
    ltvBps: 8_000n,
    liquidationThresholdBps: 8_250n,
    liquidationBonusBps: 10_500n,
  },
  {
    ...volatile,
    symbol: 'WBTC',
    name: 'Wrapped BTC',
    decimals: 8,
    priceUsd: 96_000_00000000n,
    circulation: 20_000_000n,
    ltvBps: 7_300n,
    liquidationThresholdBps: 7_800n,
    liquidationBonusBps: 10_500n,
  },
  {
    ...volatile,
    symbol: 'LINK',
    name: 'ChainLink Token',
    decimals: 18,
    priceUsd: 18_50000000n,
    circulation: 650_000_000n,
    ltvBps: 6_600n,
    liquidationThresholdBps: 7_100n,
    liquidationBonusBps: 10_700n,
  },
  {
    ...stable,
    symbol: 'USDC',
    name: 'USD Coin',
    decimals: 6,
    priceUsd: 1_00000000n,
    circulation: 75_000_000_000n,
    stableRateBorrowing: true,
    ltvBps: 7_500n,
    liquidationThresholdBps: 7_800n,
    liquidationBonusBps: 10_450n,
  },
  {
    ...stable,
    symbol: 'DAI',
    name: 'Dai Stablecoin',
    decimals: 18,
    priceUsd: 99_980_000n,
    circulation: 5_000_000_000n,
    stableRateBorrowing: true,
    ltvBps: 6_300n,
    liquidationThresholdBps: 7_700n,
    liquidationBonusBps: 10_500n,
  },
  {
    ...stable,
    symbol: 'USDT',
    name: 'Tether USD',
    decimals: 6,
    priceUsd: 1_00010000n,
    circulation: 180_000_000_000n,
    stableRateBorrowing: false,
    eModeCategory: 0,
    ltvBps: 0n,
    liquidationThresholdBps: 0n,
    liquidationBonusBps: 0n,
  },
];

/** The e-mode category of the stable coins (id 1), in basis points. */
export const STABLE_E_MODE = {
  id: 1,
  ltvBps: 9_700,
  liquidationThresholdBps: 9_750,
  liquidationBonusBps: 10_100,
} as const;

/**
 * Finds a listing by symbol. ETH and BTC mean WETH and WBTC, in any case. @throws naming the known symbols
 */
export function assetListing(symbol: string): AssetListing {
  const wanted = marketSymbol(symbol);
  const listing = ASSETS.find((asset) => asset.symbol === wanted);
  if (!listing)
    throw new Error(`unknown asset ${symbol}: use one of ${ASSETS.map((asset) => asset.symbol).join(', ')}`);
  return listing;
}

/** The symbol under which the market lists an asset: ETH and WETH, BTC and WBTC are one price. */
export function marketSymbol(symbol: string): string {
  const upper = symbol.toUpperCase();
  return upper === 'ETH' || upper === 'BTC' ? `W${upper}` : upper;
}
