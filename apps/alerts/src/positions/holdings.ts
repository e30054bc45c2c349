import type { PositionLegV1, PositionV1, Verification } from '@plimsoll/contracts';

/** Amounts by symbol, with the protocol's oracle price of each in USD. */
export interface Holdings {
  prices: Record<string, number>;
  /** Only counted collateral. */
  collateral: Record<string, number>;
  debt: Record<string, number>;
  /** Where the health factor comes from. Absent for a closed position, and in states of earlier releases. */
  verification?: Verification;
  /** The receipt of the last change of level. Absent without one, and in states of earlier releases. */
  receipt?: ChangeReceipt;
  /** In the integers of the contract. Absent in states of earlier releases. */
  contract?: ContractFigures;
  /** Oracle and token of each leg that counts, as `oracleKey` writes them. Only in states that come from an event. */
  oracles?: string[];
}

/** A receipt by its hash, with the sequence of the state whose change it states. */
export interface ChangeReceipt {
  hash: string;
  sequence: number;
}

export const NO_HOLDINGS: Holdings = { prices: {}, collateral: {}, debt: {} };

/** Writes an oracle and the token that it prices, as the statements of oracle prices do. */
const oracleKey = ({ oracle, address }: Pick<PositionLegV1, 'oracle' | 'address'>): string =>
  `${oracle} ${address}`;

/** Returns the oracles on which the health factor depends. */
export function oraclesOf(legs: readonly PositionLegV1[]): string[] {
  const counted = legs.filter(
    ({ side, usedAsCollateral, amount }) => amount > 0 && (side === 'debt' || usedAsCollateral),
  );
  return [...new Set(counted.map(oracleKey))].sort();
}

/** Collateral or debt of one asset in a position. */
type HeldLeg = Pick<PositionLegV1, 'asset' | 'side' | 'amount' | 'usdValue' | 'priceUsd'> & {
  usedAsCollateral?: boolean;
};

export function holdingsOf(legs: readonly HeldLeg[]): Holdings {
  const holdings: Holdings = { prices: {}, collateral: {}, debt: {} };
  for (const { asset, side, amount, usdValue, priceUsd, usedAsCollateral } of legs) {
    if (amount === 0) continue;
    // priceRaw may be in the market's own currency. Earlier event versions do not state its USD value.
    holdings.prices[asset] = priceUsd ?? usdValue / amount;
    if (side === 'debt') holdings.debt[asset] = (holdings.debt[asset] ?? 0) + amount;
    else if (usedAsCollateral) holdings.collateral[asset] = (holdings.collateral[asset] ?? 0) + amount;
  }
  return holdings;
}

/** One asset of a position in the integers of its contract. */
export interface StoredLeg {
  asset: string;
  address: string;
  side: 'collateral' | 'debt';
  amountRaw: string;
  /** The principal. Interest does not change it. */
  scaledRaw: string;
  decimals: number;
  priceRaw: string;
  priceDecimals: number;
  /** Basis points. 0 for a debt and for a supply that is not collateral. */
  thresholdBps: number;
  amount: number;
  /** Oracle price in USD. 0 when unknown. */
  priceUsd: number;
}

/** A position in the contract's own figures. */
export interface ContractFigures {
  /** Wad. Null without debt. */
  healthFactorRaw: string | null;
  baseDecimals: number;
  /** False when no oracle of the chain prices the market in USD. */
  isUsdKnown: boolean;
  legs: StoredLeg[];
}

/** The figures of an event. Most evaluations do not read the legs, so they are made at the first use. */
class FiguresOfEvent implements ContractFigures {
  readonly healthFactorRaw: string | null;
  readonly baseDecimals: number;
  readonly isUsdKnown: boolean;
  private stored: StoredLeg[] | undefined;

  constructor(private readonly event: PositionV1) {
    this.healthFactorRaw = event.healthFactorRaw;
    this.baseDecimals = event.baseDecimals;
    this.isUsdKnown = event.usdPerBaseRaw !== '0';
  }

  get legs(): StoredLeg[] {
    return (this.stored ??= storedLegs(this.event.legs));
  }

  /** JSON omits a getter of a class. */
  toJSON(): ContractFigures {
    const { healthFactorRaw, baseDecimals, isUsdKnown, legs } = this;
    return { healthFactorRaw, baseDecimals, isUsdKnown, legs };
  }
}

export const contractFigures = (event: PositionV1): ContractFigures => new FiguresOfEvent(event);

function storedLegs(given: readonly PositionLegV1[]): StoredLeg[] {
  const legs: StoredLeg[] = [];
  for (const leg of given) {
    if (leg.amountRaw === '0') continue;
    legs.push({
      asset: leg.asset,
      address: leg.address,
      side: leg.side,
      amountRaw: leg.amountRaw,
      scaledRaw: leg.scaledRaw,
      decimals: leg.decimals,
      priceRaw: leg.priceRaw,
      priceDecimals: leg.priceDecimals,
      thresholdBps: leg.usedAsCollateral ? leg.liquidationThresholdBps : 0,
      amount: leg.amount,
      priceUsd: leg.priceUsd ?? (leg.amount === 0 ? 0 : leg.usdValue / leg.amount),
    });
  }
  return legs;
}

export function legsOf(figures: ContractFigures, side: StoredLeg['side']): StoredLeg[] {
  return figures.legs.filter((leg) => leg.side === side);
}

export const valueUsd = ({ amount, priceUsd }: Pick<StoredLeg, 'amount' | 'priceUsd'>): number =>
  amount * priceUsd;
