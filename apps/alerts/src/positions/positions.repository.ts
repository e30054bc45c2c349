import { Injectable } from '@nestjs/common';
import type { SqlExecutor } from '@plimsoll/event-bus';
import { columns, insertSql, replacing, runBulk, selectSql } from '../infrastructure/bulk-rows';
import { levelOf } from './danger-level';
import { NO_HOLDINGS } from './holdings';
import { type PositionState, heldAssets } from './position-state';
import { figuresOf, storedFigures } from './stored-figures';

/** The last two are null until the first event after the migrations that added their columns. */
export type PositionRow = Omit<PositionState, 'holdings' | 'level'> & {
  /** With `contract` when an earlier release stored it. */
  holdings: PositionState['holdings'] | null;
  figures: string | null;
};
export function stateOf({ figures, ...row }: PositionRow): PositionState {
  const holdings = row.holdings ?? NO_HOLDINGS;
  const contract = figuresOf(figures, row.sequence) ?? holdings.contract;
  return { ...row, holdings: contract ? { ...holdings, contract } : holdings, level: levelOf(row) };
}

const COLUMNS = columns<PositionState>(
  {
    text: ['id', 'wallet', 'protocol', 'band', 'blockHash'],
    int: ['chainId'],
    bigint: ['sequence', 'block'],
    float8: ['healthFactor', 'collateralUsd', 'debtUsd'],
    boolean: ['closed', 'isUsdKnown'],
    time: ['blockAtMs'],
  },
  {
    holdings: ['jsonb', ({ holdings: { contract: _inFigures, oracles: _inColumn, ...rest } }) => rest],
    figures: [
      'text',
      ({ sequence, holdings }) => (holdings.contract ? storedFigures(sequence, holdings.contract) : null),
    ],
    collateral_peaks: ['jsonb', ({ peaks }) => peaks],
    assets: ['jsonb', heldAssets],
    oracles: ['jsonb', ({ holdings }) => holdings.oracles],
  },
);
export const POSITION_COLUMNS = `${selectSql(COLUMNS, 'p.')}, p.holdings, p.figures, p.collateral_peaks AS peaks, p.risk_score AS "riskScore",
  p.liquidation_probability AS "liquidationProbability",
  p.liquidation_probability_error AS "liquidationProbabilityError"`;
const SAVE = insertSql(
  'positions',
  COLUMNS,
  replacing(COLUMNS, ['id'], {
    fixed: ['wallet', 'protocol', 'chain_id'],
    where: 'known.sequence < excluded.sequence',
  }),
);

/** Positions of one account with an asset. */
export interface Holding {
  positions: PositionState[];
  /** The number of all, also of those that are left out. */
  total: number;
  /** The account's names for the wallets. */
  labels: Map<string, string | null>;
}

/** Stores the latest state of each position. */
@Injectable()
export class PositionsRepository {
  /**
   * Returns and locks the stored state of each position, in a fixed order, so that two batches cannot block
   * each other.
   */
  async lockStates(tx: SqlExecutor, ids: readonly string[]): Promise<Map<string, PositionState>> {
    const { rows } = await tx.query<PositionRow>(
      `SELECT ${POSITION_COLUMNS} FROM positions AS p WHERE p.id = ANY($1) ORDER BY p.id FOR UPDATE`,
      [ids],
    );
    return new Map(rows.map((row) => [row.id, stateOf(row)]));
  }

  async save(tx: SqlExecutor, states: readonly PositionState[]): Promise<void> {
    await runBulk(tx, SAVE, COLUMNS, states);
  }

  async ofIds(tx: SqlExecutor, ids: readonly string[]): Promise<PositionState[]> {
    const { rows } = await tx.query<PositionRow>(
      `SELECT ${POSITION_COLUMNS} FROM positions AS p WHERE p.id = ANY($1)`,
      [ids],
    );
    return rows.map(stateOf);
  }

  /**
   * Returns positions of watched wallets that hold an asset, by account: at most `most` of each, the lowest
   * health factors first, with the account's names for their wallets.
   */
  async holding(
    tx: SqlExecutor,
    asset: string,
    accountIds: readonly string[],
    most: number,
  ): Promise<Map<string, Holding>> {
    const { rows } = await tx.query<PositionRow & { accountId: string; total: number; label: string | null }>(
      // OFFSET 0 keeps the filter on assets outside. Without statistics, the planner would read every holder
      // of the asset.
      `WITH watched AS MATERIALIZED (
         SELECT wallet, account_id, label FROM watches WHERE watching AND account_id = ANY($2)
       )
       SELECT ${POSITION_COLUMNS}, p.account_id AS "accountId", p.label,
         p.total::float8 AS total FROM (
         SELECT held.*, w.account_id, w.label, count(*) OVER of_account AS total,
           row_number() OVER (of_account ORDER BY held.health_factor NULLS LAST) AS place
         FROM watched AS w
         CROSS JOIN LATERAL (SELECT * FROM positions WHERE positions.wallet = w.wallet OFFSET 0) AS held
         WHERE held.assets ? $1
         WINDOW of_account AS (PARTITION BY w.account_id)
       ) AS p WHERE p.place <= $3`,
      [asset, accountIds, most],
    );
    const byAccount = new Map<string, Holding>();
    for (const { accountId, total, label, ...row } of rows) {
      const held: Holding = byAccount.get(accountId) ?? { positions: [], total, labels: new Map() };
      byAccount.set(accountId, held);
      held.positions.push(stateOf(row));
      held.labels.set(row.wallet, label);
    }
    return byAccount;
  }

  async ofWallets(tx: SqlExecutor, wallets: readonly string[]): Promise<PositionState[]> {
    const { rows } = await tx.query<PositionRow>(
      `SELECT ${POSITION_COLUMNS} FROM positions AS p WHERE p.wallet = ANY($1)`,
      [wallets],
    );
    return rows.map(stateOf);
  }
}
