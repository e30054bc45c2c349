import { Inject, Injectable } from '@nestjs/common';
import {
  EVIDENCE_WEIGHT,
  type BlockMove,
  type Delegation,
  type Evidence,
  type TimedMove,
  type TokenTransfer,
} from '@plimsoll/whale-clusters';
import { Pool } from 'pg';
import { WhalesConfig } from '../config';

/** Most rows of one kind of evidence: the newest, but of transfers the oldest. */
const MOST_ROWS = 1_000_000;
/** Most moves that are compared by time. */
const MOST_TIMED_MOVES = 50_000;
/** A wallet that acts for more wallets is a service. */
const MOST_ACTED_FOR = 20;

/**
 * Evidence about pairs of wallets from activity, transfers and permissions of a chain. A stranger can send a
 * small amount to a whale, or pay one for it, so amounts below the floor are not evidence.
 */
@Injectable()
export class EvidenceRepository {
  constructor(
    @Inject(Pool) private readonly pool: Pool,
    private readonly config: WhalesConfig,
  ) {}

  async positionTransfers(chainId: number): Promise<Evidence[]> {
    const { rows } = await this.pool.query<{ a: string; b: string; block: number }>(
      `SELECT wallet AS a, counterparty AS b, min(block)::float8 AS block FROM activity
       WHERE chain_id = $1 AND action = 'transfer' AND counterparty IS NOT NULL AND usd >= $3
       GROUP BY wallet, counterparty ORDER BY max(block) DESC LIMIT $2`,
      [chainId, MOST_ROWS, this.config.EVIDENCE_FLOOR_USD],
    );
    const weight = EVIDENCE_WEIGHT.position_transfer;
    return rows.map((row) => ({ ...row, kind: 'position_transfer', weight }));
  }

  /** Returns wallets that paid or received for few others. */
  async actingFor(chainId: number): Promise<Evidence[]> {
    const { rows } = await this.pool.query<{ a: string; b: string; block: number }>(
      `WITH acted AS (
         SELECT counterparty AS a, wallet AS b, min(block)::float8 AS block FROM activity
         WHERE chain_id = $1 AND action IN ('supply', 'withdraw', 'borrow', 'repay') AND counterparty IS NOT NULL
           AND usd >= $4
         GROUP BY counterparty, wallet
       )
       SELECT a, b, block FROM (SELECT *, count(*) OVER (PARTITION BY a) AS served FROM acted) AS counted
       WHERE served <= $2 ORDER BY block DESC LIMIT $3`,
      [chainId, MOST_ACTED_FOR, MOST_ROWS, this.config.EVIDENCE_FLOOR_USD],
    );
    return rows.map((row) => ({ ...row, kind: 'acting_for', weight: EVIDENCE_WEIGHT.acting_for }));
  }

  /** Returns active permissions. */
  async delegations(chainId: number): Promise<Delegation[]> {
    const { rows } = await this.pool.query<Delegation>(
      `SELECT wallet, delegate, block::float8 AS block FROM (
         SELECT DISTINCT ON (wallet, delegate) * FROM permissions WHERE chain_id = $1
         ORDER BY wallet, delegate, block DESC, log_index DESC
       ) AS newest WHERE is_granted ORDER BY newest.block DESC LIMIT $2`,
      [chainId, MOST_ROWS],
    );
    return rows;
  }

  /** Returns the oldest transfers in order. A wallet's first one shows its funder. */
  async transfers(chainId: number): Promise<TokenTransfer[]> {
    const { rows } = await this.pool.query<TokenTransfer>(
      `SELECT sender AS "from", recipient AS "to", usd, block::float8 AS block FROM transfers WHERE chain_id = $1
       ORDER BY transfers.block, log_index LIMIT $2`,
      [chainId, MOST_ROWS],
    );
    return rows;
  }

  /** Returns equal moves of several wallets in one block. */
  async sharedMoves(chainId: number): Promise<BlockMove[]> {
    const { rows } = await this.pool.query<BlockMove>(
      `SELECT wallet, block::float8 AS block, concat_ws('|', moved.block, protocol, market, action, token) AS meeting
       FROM (
         SELECT *, min(wallet) OVER alike <> max(wallet) OVER alike AS is_shared FROM activity
         WHERE chain_id = $1 AND action IN ('supply', 'withdraw', 'borrow', 'repay')
         WINDOW alike AS (PARTITION BY block, protocol, market, action, token)
       ) AS moved WHERE is_shared ORDER BY moved.block DESC LIMIT $2`,
      [chainId, MOST_ROWS],
    );
    return rows;
  }

  /** Returns the newest moves above a value, with their times. */
  async timedMoves(chainId: number): Promise<TimedMove[]> {
    const { rows } = await this.pool.query<TimedMove>(
      `SELECT wallet, block::float8 AS block, extract(epoch FROM at)::float8 AS "atSeconds",
         concat_ws('|', protocol, market, action, token) AS act
       FROM activity
       WHERE chain_id = $1 AND action IN ('supply', 'withdraw', 'borrow', 'repay') AND usd >= $3
       ORDER BY at DESC LIMIT $2`,
      [chainId, MOST_TIMED_MOVES, this.config.EVIDENCE_FLOOR_USD],
    );
    return rows;
  }
}
