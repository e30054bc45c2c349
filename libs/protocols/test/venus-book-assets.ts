import { WAD } from '../src/fixed-point/math';

/** A token of a book. The price of a whole token has 8 decimals; `falls` is the part of it that stays after the fall. */
export interface BookAsset {
  symbol: string;
  decimals: number;
  price: bigint;
  factor: bigint;
  threshold: bigint;
  poolThreshold?: bigint;
  stays: bigint;
}

/** A part in percent, with 18 decimals. */
export const share = (percent: bigint): bigint => (percent * WAD) / 100n;

export const CORE_ASSETS: readonly BookAsset[] = [
  {
    symbol: 'WBNB',
    decimals: 18,
    price: 61_234_567_891n,
    factor: share(78n),
    threshold: share(80n),
    stays: 85n,
  },
  {
    symbol: 'BTCB',
    decimals: 8,
    price: 9_123_456_789_012n,
    factor: share(75n),
    threshold: share(77n),
    stays: 85n,
  },
  {
    symbol: 'USDC',
    decimals: 6,
    price: 99_981_234n,
    factor: share(80n),
    threshold: share(83n),
    poolThreshold: share(95n),
    stays: 100n,
  },
  {
    symbol: 'DAI',
    decimals: 18,
    price: 100_013_579n,
    factor: 700_123_456_789_012_345n,
    threshold: share(75n),
    poolThreshold: share(94n),
    stays: 70n,
  },
];
export const ISOLATED_ASSETS: readonly BookAsset[] = [
  {
    symbol: 'WETH',
    decimals: 18,
    price: 251_377_123_456n,
    factor: share(80n),
    threshold: share(85n),
    stays: 85n,
  },
  {
    symbol: 'WBTC',
    decimals: 8,
    price: 9_123_456_789_012n,
    factor: 700_123_456_789_012_345n,
    threshold: share(75n),
    stays: 85n,
  },
  {
    symbol: 'USDC',
    decimals: 6,
    price: 99_981_234n,
    factor: share(82n),
    threshold: share(87n),
    stays: 100n,
  },
  { symbol: 'DAI', decimals: 18, price: 100_013_579n, factor: 0n, threshold: 0n, stays: 100n },
];

/** The price as oracles of Venus state it. */
export const mantissa = ({ price, decimals }: BookAsset): bigint => price * 10n ** BigInt(28 - decimals);
export const mantissaAfterFall = (asset: BookAsset): bigint => (mantissa(asset) * asset.stays) / 100n;
