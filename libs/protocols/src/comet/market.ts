import type { BlockRef } from '@plimsoll/evm';
import type { Address } from 'viem';
import type { HeldAccount } from '../reader/family';
import type { Token } from '../reader/tokens';
import type { CometCollateral } from './math';

/** A comet and its assets, which change by governance only. */
export interface CometLayout {
  comet: Address;
  base: Token;
  basePriceFeed: Address;
  /** By asset index. Null: it states no decimals. */
  tokens: readonly (Token | null)[];
  addresses: readonly Address[];
}

export interface CometAsset extends Pick<CometCollateral, 'scale' | 'liquidateCollateralFactor'> {
  token: Token | null;
  /** Null: its feed fails, which concerns only the accounts that hold it. */
  price: bigint | null;
  priceFeed: Address;
  /** The share of the seized value that is credited to the account (wad). */
  liquidationFactor: bigint;
  /** The share that counts for new debt (wad). */
  borrowCollateralFactor: bigint;
  supplyCap: bigint;
}

export interface CometMarket {
  layout: CometLayout;
  block: BlockRef;
  indices: { supply: bigint; borrow: bigint };
  /** Rates of the base per second, wad. */
  rates: { supply: bigint; borrow: bigint };
  /** Principals of the total supply and the total debt of the base. */
  base: { supplied: bigint; borrowed: bigint };
  basePrice: bigint;
  /** Dollars (wad) for one unit of the feeds' currency: not all comets count in dollars. */
  usdPerBaseRaw: bigint | null;
  assets: readonly CometAsset[];
}

export interface CometAccount extends HeldAccount {
  /** Negative: a debt. */
  principal: bigint;
  /** The key is the index of the asset in the comet. */
  collaterals: ReadonlyMap<number, bigint>;
}
