import type { Verification } from '@plimsoll/contracts';
import type { ChainReadCode } from '@plimsoll/evm';
import type { Address, Hex } from 'viem';
import { WAD } from '../fixed-point/math';
import type { Proxy } from './proxy';

/** One asset on one side of a position, at the position's block. */
export interface RawLeg {
  symbol: string;
  /** The underlying token. */
  address: Address;
  side: 'collateral' | 'debt';
  /** Balance with interest, in token units. */
  amountRaw: bigint;
  /** Principal as the protocol stores it. It changes only when a wallet acts. */
  scaledRaw: bigint;
  /** Set if the protocol exposes no principal: `scaledRaw` is then the balance, and grows with interest. */
  scaledGrows?: true;
  decimals: number;
  /** Price by the protocol's own oracle, with `priceDecimals` decimals of the market's base currency. */
  priceRaw: bigint;
  priceDecimals: number;
  /** The contract that returned this price. */
  oracle: Address;
  /**
   * The market price of one whole token in dollars (wad), by the dollar oracles of the chain. Set where the protocol
   * counts the token at a fixed dollar. Sums in USD use it; the protocol's own figures do not.
   */
  marketUsdRaw?: bigint;
  /** The threshold of this wallet (its e-mode included); 0n on the debt side. */
  liquidationThresholdBps: bigint;
  /**
   * The part that a liquidation of this wallet takes above the repaid debt, by the market's own parameters:
   * 500 is 5 %. The liquidator or the protocol receives it. Where it grows as the health factor falls, the most. Absent on the debt side,
   * without a bonus, and if it is not read.
   */
  liquidationBonusBps?: bigint;
  /** False on the debt side, and for a supply that does not secure the debt. */
  usedAsCollateral: boolean;
  /** The yearly rate of supply or debt at the block: 0.05 is 5 %. Absent if it is not read. */
  annualRate?: number;
}

/**
 * Risks of a position beside liquidation by its health factor:
 * - soft_liquidation: part of its collateral is already sold (llamma)
 * - redemption: it can be redeemed against before others are (liquity: lowest rate, lowest ratio)
 * - recovery_mode: the system raised the threshold of all positions (liquity-v1)
 * - shutdown: its branch or market is being wound down
 */
export type PositionFlag = 'soft_liquidation' | 'redemption' | 'recovery_mode' | 'shutdown';

/**
 * A category of assets that move together (Aave v3), which the wallet may enter now and in which it is safer.
 */
export interface EModeChoice {
  id: number;
  /** The name that the protocol's governance chose. */
  label: string;
  /** The contract's health factor after the move, at the same block. Wad. */
  healthFactorRaw: bigint;
  /** The thresholds of its collateral there. */
  collateral: readonly { address: Address; liquidationThresholdBps: bigint }[];
}

/**
 * A position at one block, with the exact figures of the contract. Its key: protocol, chain, market, sub-id,
 * wallet.
 */
export interface RawPosition {
  protocol: string;
  chainId: number;
  market: string;
  /**
   * The position of the wallet in the market (Morpho market, trove, sub-account). Empty if it has only one.
   */
  subId: string;
  wallet: Address;
  /** The contract that holds the position for the wallet. Absent if the wallet holds it itself. */
  proxy?: Proxy;
  legs: RawLeg[];
  /** Total of supplies used as collateral, in base-currency units (`priceDecimals` decimals). */
  totalCollateralRaw: bigint;
  totalDebtRaw: bigint;
  priceDecimals: number;
  /**
   * Dollars (wad) for one unit of the base currency at the block: 1e18 if the protocol is in dollars. Null if
   * no oracle of the chain prices it. Totals then have no dollar value.
   */
  usdPerBaseRaw: bigint | null;
  /** Wad; null without debt, and where the contract never liquidates the debt. */
  healthFactorRaw: bigint | null;
  flags: readonly PositionFlag[];
  /** Safest first. Absent: the protocol has none, or none makes the position safer. */
  eModes?: readonly EModeChoice[];
  blockNumber: bigint;
  blockHash: Hex;
  /** Unix seconds. */
  blockTimestamp: bigint;
  /**
   * Where the health factor comes from, by the table of its family in verification.ts. Null: a closed position, or
   * the state of an earlier release.
   */
  verification: Verification | null;
  /**
   * Set if this position may exist and could not be read, while others of its wallet could. Its figures are
   * empty, and it must be shown as unreadable. See isReadable.
   */
  unreadable?: ChainReadCode;
}

/**
 * Whether a position may be shown: it was read, and its totals have a dollar value. Any account can give a
 * wallet a position without one, which hides no other position of the wallet.
 */
export function isReadable({
  unreadable,
  usdPerBaseRaw,
}: Pick<RawPosition, 'unreadable' | 'usdPerBaseRaw'>): boolean {
  return unreadable === undefined && usdPerBaseRaw !== null;
}

/** Whether the figures state that anyone may liquidate the position. */
export function isLiquidatable({ healthFactorRaw }: Pick<RawPosition, 'healthFactorRaw'>): boolean {
  return healthFactorRaw !== null && healthFactorRaw < WAD;
}
