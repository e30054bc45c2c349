import type { PositionAsset, PositionAssets, PositionListItem } from '@plimsoll/contracts';
import type { Fact } from './fact';
import type { FactOrigin, FactSheet } from './fact-sheet';

/** Fields that earlier releases of positions do not state. */
type Later = 'netWorthUsd' | 'riskLevelReason';
/** A position as a list with its assets, or as the detail form. */
export type HeldPosition = Omit<PositionListItem, Later> &
  Partial<Pick<PositionListItem, Later> & PositionAssets>;

/** A leg of a position as facts. */
export class LegFacts {
  readonly asset: string;
  /** Null: it is not collateral. */
  readonly liquidationThresholdBps: number | null;

  constructor(
    private readonly sheet: FactSheet,
    private readonly at: FactOrigin,
    private readonly raw: PositionAsset,
    readonly side: 'collateral' | 'debt',
    private readonly names: { id: string; of: string },
  ) {
    this.asset = raw.asset;
    this.liquidationThresholdBps = raw.usedAsCollateral ? (raw.liquidationThresholdBps ?? 0) : null;
  }

  get symbol(): Fact {
    const { id, of } = this.names;
    return this.sheet.once(`${id}.symbol`, `${this.side} asset ${of}`, this.asset, 'text', this.at);
  }

  get amount(): Fact {
    const { id, of } = this.names;
    const label = `amount of a ${this.side} asset ${of}`;
    return this.sheet.once(`${id}.amount`, label, this.raw.amount, 'token', this.at, this.asset);
  }

  get usd(): Fact {
    const { id, of } = this.names;
    const label = `value of a ${this.side} asset ${of}`;
    return this.sheet.once(`${id}.usd`, label, this.raw.usdValue, 'usd', this.at);
  }
}

/**
 * A position as facts, under `position.<id>.`. Each fact enters the sheet at its first use: an answer
 * mentions a few figures of hundreds of positions, and the others are neither verified nor stored.
 */
export class PositionFacts {
  private readonly at: FactOrigin;
  private readonly name: string;
  private readonly of: string;
  private ownLegs: LegFacts[] | undefined;

  /** @param raw the position behind the facts; stale when it could not be read at the newest block */
  constructor(
    private readonly sheet: FactSheet,
    readonly raw: HeldPosition,
    { time, source, isStale }: FactOrigin,
  ) {
    this.at = {
      time: raw.updatedAt ?? time,
      source,
      isStale: isStale === true || raw.block !== undefined,
    };
    this.name = `position.${raw.id}`;
    this.of = `of position ${raw.id}`;
  }

  get id(): Fact {
    return this.fact('id', 'id', this.raw.id, 'id');
  }

  get wallet(): Fact {
    return this.fact('wallet', 'wallet', this.raw.wallet, 'id');
  }

  get protocol(): Fact {
    return this.fact('protocol', 'protocol', this.raw.protocol, 'id');
  }

  get chainId(): Fact {
    return this.fact('chainId', 'chain', this.raw.chainId, 'id');
  }

  get healthFactor(): Fact {
    return this.fact('healthFactor', 'health factor', this.raw.healthFactor, 'ratio');
  }

  get collateralUsd(): Fact {
    return this.fact('collateralUsd', 'collateral', this.raw.totalCollateralUsd, 'usd');
  }

  get debtUsd(): Fact {
    return this.fact('debtUsd', 'debt', this.raw.totalDebtUsd, 'usd');
  }

  /** All supplies, collateral or not, minus all debts. */
  get netWorthUsd(): Fact {
    const { netWorthUsd, totalDebtUsd, collateralAssets = [] } = this.raw;
    const supplied = collateralAssets.reduce((sum, { usdValue }) => sum + usdValue, 0);
    return this.fact('netWorthUsd', 'net worth', netWorthUsd ?? supplied - totalDebtUsd, 'usd');
  }

  get riskLevel(): Fact {
    const { riskLevel, riskLevelReason: reason } = this.raw;
    return this.fact('riskLevel', 'risk level', riskLevel, 'enum', reason);
  }

  get legs(): readonly LegFacts[] {
    const leg = (side: LegFacts['side']) => (asset: PositionAsset, index: number) =>
      new LegFacts(this.sheet, this.at, asset, side, { id: `${this.name}.${side}.${index}`, of: this.of });
    return (this.ownLegs ??= [
      ...(this.raw.collateralAssets ?? []).map(leg('collateral')),
      ...(this.raw.debtAssets ?? []).map(leg('debt')),
    ]);
  }

  /** All of its facts. They enter the sheet. */
  all(): Fact[] {
    const { id, wallet, protocol, chainId, healthFactor, collateralUsd, debtUsd, riskLevel, legs } = this;
    const own = [id, wallet, protocol, chainId, healthFactor, collateralUsd, debtUsd, riskLevel];
    return [...own, ...legs.flatMap(({ symbol, amount, usd }) => [symbol, amount, usd])];
  }

  private fact(field: string, what: string, value: Fact['value'], unit: Fact['unit'], reason?: string): Fact {
    return this.sheet.once(`${this.name}.${field}`, `${what} ${this.of}`, value, unit, {
      ...this.at,
      reason,
    });
  }
}
