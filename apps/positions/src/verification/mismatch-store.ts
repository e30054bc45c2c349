import { Inject, Injectable } from '@nestjs/common';
import type { MarketRow } from '@plimsoll/evm';
import { type Mismatch, verificationOf } from '@plimsoll/protocols';
import { OperationsServer, OperatorAlerts, inTransaction } from '@plimsoll/service-kit';
import { Pool } from 'pg';
import { operatorAlertsOpen } from '../metrics';
import { type VerifiedFigure, relativeDifference, subjectOf } from './mismatch';

/** A figure of ours differs from the contract's by more than rounding. */
const VERDICT_MISMATCH = 'verdict_mismatch';
/** The positions of an alert that are stored, and compared again until they agree. */
const MOST_POSITIONS = 20;

/** A difference of one position from its contract. */
export interface MismatchedPosition
  extends
    VerifiedFigure,
    Pick<MarketRow, 'protocol' | 'market'>,
    Pick<Mismatch, 'wallet' | 'computed' | 'contract'> {
  block: bigint;
}

type MismatchRow = Omit<MismatchedPosition, 'block' | 'computed' | 'contract'> &
  Record<'block', string> &
  Record<'computed' | 'contract', string | null>;

/** The positions that differ from their contracts, with the alerts for operators about them. */
@Injectable()
export class MismatchStore {
  readonly alerts: OperatorAlerts;

  constructor(
    @Inject(Pool) private readonly pool: Pool,
    @Inject(OperationsServer) operations: Pick<OperationsServer, 'serve'>,
  ) {
    this.alerts = new OperatorAlerts(pool, operatorAlertsOpen, [VERDICT_MISMATCH]);
    operations.serve(this.alerts);
  }

  /** Stores positions that differ, and opens the alert of each figure unless it is open. All or none. */
  async add(positions: readonly MismatchedPosition[], nowMs: number): Promise<void> {
    const now = new Date(nowMs);
    await inTransaction(this.pool, async (tx) => {
      // In one order, so that two instances never deadlock on each other's rows.
      for (const position of positions.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1))) {
        const { chainId, family, figure, protocol, market, wallet, block, computed, contract } = position;
        await tx.query(
          `INSERT INTO verdict_mismatches (chain_id, family, figure, protocol, market, wallet, block, computed, contract,
             seen_at)
           SELECT $1::int, $2, $3, $4, $5, $6, $7::bigint, $8::numeric, $9::numeric, $10::timestamptz WHERE (
             SELECT count(*) FROM verdict_mismatches WHERE chain_id = $1 AND family = $2 AND figure = $3) < $11
           ON CONFLICT (chain_id, family, figure, protocol, market, wallet) DO UPDATE SET block = excluded.block,
             computed = excluded.computed, contract = excluded.contract, seen_at = excluded.seen_at`,
          [
            chainId,
            family,
            figure,
            protocol,
            market,
            wallet,
            String(block),
            computed === null ? null : String(computed),
            contract === null ? null : String(contract),
            now,
            MOST_POSITIONS,
          ],
        );
        const [detail, remedy] = [describe(position), remedyOf(position)];
        const alert = { kind: VERDICT_MISMATCH, subject: subjectOf(position), detail, remedy, openedAt: now };
        await this.alerts.open(alert, tx);
      }
    });
    await this.alerts.measure();
  }

  /** The stored positions of the chains, oldest first. */
  async list(chainIds: readonly number[]): Promise<MismatchedPosition[]> {
    const { rows } = await this.pool.query<MismatchRow>(
      `SELECT chain_id AS "chainId", family, figure, protocol, market, wallet, block::text, computed::text, contract::text
       FROM verdict_mismatches WHERE chain_id = ANY($1) ORDER BY seen_at, wallet`,
      [chainIds],
    );
    const wad = (text: string | null): bigint | null => (text === null ? null : BigInt(text));
    return rows.map(({ block, computed, contract, ...rest }) => {
      return { ...rest, block: BigInt(block), computed: wad(computed), contract: wad(contract) };
    });
  }

  /**
   * Removes a position that agrees with its contract again, and resolves the alert with the last one. One that was stored
   * again for a later block stays.
   */
  async remove(position: MismatchedPosition, nowMs: number): Promise<void> {
    const { chainId, family, figure, protocol, market, wallet, block } = position;
    await inTransaction(this.pool, async (tx) => {
      await tx.query(
        `DELETE FROM verdict_mismatches WHERE chain_id = $1 AND family = $2 AND figure = $3 AND protocol = $4
           AND market = $5 AND wallet = $6 AND block = $7`,
        [chainId, family, figure, protocol, market, wallet, String(block)],
      );
      const { rowCount } = await tx.query(
        `SELECT 1 FROM verdict_mismatches WHERE chain_id = $1 AND family = $2 AND figure = $3 LIMIT 1`,
        [chainId, family, figure],
      );
      if (rowCount === 0) await this.alerts.resolve(VERDICT_MISMATCH, subjectOf(position), nowMs, tx);
    });
  }
}

/** The position and figure. Two instances may find the same one. */
export function keyOf(position: MismatchedPosition): string {
  const { chainId, family, figure, protocol, market, wallet } = position;
  return [chainId, family, figure, protocol, market, wallet].join(' ');
}

function describe(position: MismatchedPosition): string {
  const { figure, family, chainId, protocol, market, wallet, block, computed, contract } = position;
  return (
    `${figure} of ${family} on chain ${chainId} differs from the contract by ${partsOf(position)}: ${protocol} ${market}, ` +
    `wallet ${wallet}, block ${block}, ours ${computed}, the contract's ${contract}.`
  );
}

function partsOf(position: MismatchedPosition): string {
  const parts = relativeDifference(position);
  return Number.isFinite(parts) ? `${parts.toExponential(2)} of its value` : 'all of its value';
}

function remedyOf({ family, chainId, protocol }: MismatchedPosition): string {
  const { statedBy } = verificationOf(family);
  return (
    `The contract's figure is published. Call ${statedBy ?? 'the contract'} for the wallet at this block on another node. Another ` +
    `result there shows a node that is wrong (RPC_QUORUM_${chainId} protects from one); the same result shows that our ` +
    `arithmetic does not know this implementation of ${protocol}. \`npm run doctor -- --chain ${chainId} --verify FILE\`, ` +
    `with the wallet in FILE, compares further figures of families with verdicts. The alert resolves when a block agrees again.`
  );
}
