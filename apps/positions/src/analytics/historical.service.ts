import { Injectable } from '@nestjs/common';
import { TIER_LIMITS } from '@plimsoll/access';
import {
  type HistoricalQuery,
  type HistoricalSnapshot,
  type HistoricalSnapshots,
  type Identity,
  Problem,
  TIERS,
  type Tier,
  isId,
  notFound,
} from '@plimsoll/contracts';
import { decodeCursor, encodeCursor } from '@plimsoll/service-kit';
import { healthFactorNumber, toUsd } from '../amounts/units';
import { PositionKeysRepository } from '../positions/position-keys.repository';
import { selectedWallets } from '../positions/requested-wallets';
import { wadOf } from '../tracking/published-position';
import { WalletsRepository } from '../wallets/wallets.repository';
import { type SnapshotPosition, type SnapshotRow, SnapshotsRepository } from './snapshots.repository';

const DAY_MS = 86_400_000;

@Injectable()
export class HistoricalService {
  constructor(
    private readonly snapshots: SnapshotsRepository,
    private readonly keys: PositionKeysRepository,
    private readonly wallets: WalletsRepository,
  ) {}

  async list(identity: Identity, query: HistoricalQuery): Promise<HistoricalSnapshots> {
    const { days, limit, cursor, positionId } = query;
    const { accountId, tier } = identity;
    refuseAboveCap(tier, days);
    const named = selectedWallets(query, tier) ?? null;
    const after = parseCursor(cursor);
    await this.refuseUnwatched(accountId, named, positionId);
    const since = new Date(Date.now() - days * DAY_MS);
    const filter = { accountId, since, wallets: named, positionId: positionId ?? null };
    const rows = await this.snapshots.list(filter, limit + 1, after);
    const page = rows.slice(0, limit);
    const last = rows.length > limit ? page.at(-1) : undefined;
    return {
      snapshots: page.map(snapshotResponse),
      count: page.length,
      days,
      maxDays: TIER_LIMITS[tier].historyDays,
      nextCursor: last ? encodeCursor([last.at.getTime(), last.positionId]) : null,
    };
  }

  /** An account must not learn which wallets others watch, so a wallet that it does not watch is a 404. */
  private async refuseUnwatched(
    accountId: string,
    named: readonly string[] | null,
    positionId: string | undefined,
  ): Promise<void> {
    if (named === null && positionId === undefined) return;
    const watched = new Set(await this.wallets.enabledAddresses(accountId));
    if (named?.some((wallet) => !watched.has(wallet))) throw notFound('watched wallet');
    if (positionId === undefined) return;
    const key = isId('pos', positionId) ? await this.keys.find(positionId) : null;
    if (!key || !watched.has(key.wallet)) throw notFound('position');
  }
}

function snapshotResponse(row: SnapshotRow): HistoricalSnapshot {
  const usdOf = (raw: string): number =>
    toUsd(BigInt(raw), row.baseDecimals, { usdPerBaseRaw: BigInt(row.usdPerBaseRaw) });
  return {
    positionId: row.positionId,
    healthFactor: healthFactorNumber(wadOf(row.healthFactorRaw)),
    healthFactorRaw: row.healthFactorRaw,
    collateralUsd: usdOf(row.totalCollateralRaw),
    debtUsd: usdOf(row.totalDebtRaw),
    block: Number(row.block),
    createdAt: row.at.toISOString(),
  };
}

function parseCursor(cursor: string | undefined): SnapshotPosition | null {
  const parts = decodeCursor(cursor, ['time', 'string']);
  return parts && { at: new Date(Number(parts[0])), positionId: String(parts[1]) };
}

/**
 * @param field that names the days
 * @throws tier_limit_exceeded naming the cap and the tier with a higher one. Days are never clamped
 */
export function refuseAboveCap(tier: Tier, days: number, field = 'days'): void {
  const cap = TIER_LIMITS[tier].historyDays;
  if (days <= cap) return;
  const lifting = TIERS.find((other) => TIER_LIMITS[other].historyDays >= days);
  const remedy = lifting
    ? `Request fewer, or move to the ${lifting} tier, which has ${TIER_LIMITS[lifting].historyDays}.`
    : 'Request fewer.';
  throw new Problem(
    'tier_limit_exceeded',
    `${days} days were requested; the ${tier} tier has ${cap}. ${remedy}`,
    {
      errors: [{ field, code: 'tier_limit_exceeded', message: remedy }],
      ...(lifting && { requiredTier: lifting }),
    },
  );
}
