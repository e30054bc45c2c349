import { IsOptional, IsString, MaxLength } from 'class-validator';
import { PageQuery } from './paging';

/** An asset of a position (api-v1.md, Position), with the exact figures beside the doubles (decisions.md, Endpoints). */
export interface PositionAsset {
  asset: string;
  amount: number;
  usdValue: number;
  address: string;
  amountRaw: string;
  decimals: number;
  /** The protocol's own oracle price with priceDecimals. */
  priceRaw: string;
  priceDecimals: number;
  oracle: string;
  /** Basis points; collateral only. */
  liquidationThresholdBps?: number;
  /** False: supplied, but not counted as collateral; collateral only. */
  usedAsCollateral?: boolean;
}

/** List form of a position. */
export interface PositionListItem {
  id: string;
  protocol: string;
  chainId: number;
  market: string;
  wallet: string;
  /** null without debt: JSON has no infinity. */
  healthFactor: number | null;
  /** Wad, decimal digits; null without debt. */
  healthFactorRaw: string | null;
  totalCollateralUsd: number;
  totalDebtUsd: number;
  riskLevel: string;
  /** Block of these figures where it is not the answer's asOfBlock: they could not be read at that one. */
  block?: number;
}

/** Query of GET /v1/positions. */
export class ListPositionsQuery extends PageQuery {
  /** Addresses, comma-separated; absent: the account's watched wallets. */
  @IsOptional()
  @IsString()
  @MaxLength(8_192)
  wallet?: string;
}

/** Something that could not be read, said instead of "no position". */
export interface Unreadable {
  protocol: string;
  chainId: number;
  reason: string;
}

/** Block that the figures of a chain are from, with its hash, so that a reader can ask the chain for the same. */
export interface BlockStamp {
  asOfBlock: Record<string, number>;
  blockHash: Record<string, string>;
}

/** Answer of GET /v1/positions. */
export interface PositionList extends BlockStamp {
  positions: PositionListItem[];
  unreadable: Unreadable[];
  nextCursor: string | null;
}

/** Answer of GET /v1/positions/:id: detail form. */
export interface PositionDetail extends PositionListItem, BlockStamp {
  collateralAssets: PositionAsset[];
  debtAssets: PositionAsset[];
  updatedAt: string;
  unreadable: Unreadable[];
}
