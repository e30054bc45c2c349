import { Inject, Injectable } from '@nestjs/common';
import type { Correlation, PositionV1 } from '@plimsoll/contracts';
import { appendToOutbox, outgoing } from '@plimsoll/event-bus';
import { inTransaction } from '@plimsoll/service-kit';
import { Pool } from 'pg';
import type { NewReceipt } from '../receipt-signing/new-receipt';
import { CrossingReceipts } from './crossing-receipts';
import type { PositionChange } from './position-event';
import { type PublishedPosition, wadOf } from './published-position';

/** Another instance has written a later state: load the states again and look for changes again. */
export class StaleStateError extends Error {
  constructor(readonly wallets: readonly string[]) {
    super(`${wallets.length} positions were changed by another instance; their states are loaded again`);
    this.name = 'StaleStateError';
  }
}

interface PositionRow {
  event: PositionV1;
  materialHealthFactorRaw: string | null;
}

const LOAD = `
SELECT event, material_health_factor_raw::text AS "materialHealthFactorRaw"
FROM positions WHERE chain_id = $1 AND wallet = ANY($2::text[])`;

/**
 * In id order, so that two instances never deadlock on each other's rows. A material change is added to the
 * history too (apps/positions/src/analytics).
 */
const SAVE = `
WITH change AS (
  SELECT * FROM unnest($1::text[], $2::text[], $3::bigint[], $4::numeric[], $5::jsonb[], $6::numeric[])
    AS change (id, wallet, block, material_health_factor_raw, event, net_worth_usd_raw)
  ORDER BY id
), keys AS (
  INSERT INTO position_keys (id, protocol, chain_id, market, sub_id, wallet)
  SELECT id, event->>'protocol', (event->>'chainId')::int, event->>'market', event->>'subId', wallet FROM change
  WHERE (event->>'sequence')::int = 1
  ON CONFLICT (id) DO NOTHING
), snapshots AS (
  INSERT INTO position_snapshots (position_id, wallet, at, block, health_factor_raw, total_collateral_raw, total_debt_raw,
    base_decimals, usd_per_base_raw, net_worth_usd_raw)
  SELECT id, wallet, clock_timestamp(), block, (event->>'healthFactorRaw')::numeric,
    (event->>'totalCollateralRaw')::numeric, (event->>'totalDebtRaw')::numeric, (event->>'baseDecimals')::smallint,
    coalesce(event->>'usdPerBaseRaw', '0')::numeric, net_worth_usd_raw
  FROM change WHERE (event->>'material')::boolean
  ON CONFLICT DO NOTHING
)
INSERT INTO positions (id, sequence, wallet, chain_id, block, closed, material_health_factor_raw, event)
SELECT id, (event->>'sequence')::int, wallet, (event->>'chainId')::int, block, (event->>'closed')::boolean,
  material_health_factor_raw, event FROM change
ON CONFLICT (id) DO UPDATE SET
  sequence = excluded.sequence, block = excluded.block, closed = excluded.closed,
  material_health_factor_raw = excluded.material_health_factor_raw, event = excluded.event, updated_at = now()
WHERE positions.sequence = excluded.sequence - 1
RETURNING id`;

/** States of tracked positions as of their last event. */
@Injectable()
export class PositionStore {
  constructor(
    @Inject(Pool) private readonly pool: Pool,
    private readonly crossings: CrossingReceipts,
  ) {}

  /** States of the wallets on a chain, closed positions included. */
  async load(chainId: number, wallets: readonly string[]): Promise<PublishedPosition[]> {
    const { rows } = await this.pool.query<PositionRow>(LOAD, [chainId, wallets]);
    return rows.map(({ event, materialHealthFactorRaw }) => ({
      event,
      materialHealthFactorRaw: wadOf(materialHealthFactorRaw),
    }));
  }

  /**
   * Writes the states with the receipts of their crossings and publishes the events, all or none.
   * @param correlation of the block
   * @returns the changes with the hashes of their receipts
   * @throws StaleStateError when a state is not the successor of the stored one
   */
  async save(given: readonly PositionChange[], correlation: Correlation): Promise<PositionChange[]> {
    const receipts = (await this.crossings.sign(given.flatMap(({ crossing }) => crossing ?? []))) ?? [];
    const changes = withReceipts(given, receipts);
    const events = changes.map(({ after }) => outgoing('position.v1', after.event, correlation));
    await inTransaction(this.pool, async (tx) => {
      // Named, so that each connection plans it once. The statement is part of the path from a price to its
      // webhook.
      const { rows } = await tx.query<{ id: string }>({
        name: 'save-positions',
        text: SAVE,
        values: [
          changes.map(({ after }) => after.event.id),
          changes.map(({ after }) => after.event.wallet),
          changes.map(({ after }) => after.event.block),
          changes.map(({ after }) => after.materialHealthFactorRaw?.toString() ?? null),
          events.map(({ value }) => value),
          changes.map((change) => change.netWorthUsdRaw?.toString() ?? null),
        ],
      });
      const saved = new Set(rows.map(({ id }) => id));
      const stale = changes.filter(({ after }) => !saved.has(after.event.id));
      if (stale.length > 0) throw new StaleStateError(stale.map(({ key }) => key.wallet));
      await this.crossings.store(tx, receipts);
      await appendToOutbox(tx, events);
    });
    return changes;
  }
}

/** @param receipts of the changes that cross, in their order; empty: none is made */
function withReceipts(changes: readonly PositionChange[], receipts: readonly NewReceipt[]): PositionChange[] {
  const waiting = [...receipts];
  return changes.map((change) => {
    const receipt = change.crossing && waiting.shift();
    if (!receipt) return change;
    const { event } = change.after;
    const own = { receiptHash: receipt.hash, receiptSequence: event.sequence };
    return { ...change, after: { ...change.after, event: { ...event, ...own } } };
  });
}
