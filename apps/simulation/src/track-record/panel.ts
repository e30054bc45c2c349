import { Injectable } from '@nestjs/common';
import type { SqlExecutor } from '@plimsoll/event-bus';
import { Clock } from '@plimsoll/service-kit';
import { SimulationConfig } from '../config';
import { RANKS } from './tracked-position';

const RETENTION_MS = 5_000;

/** The tracked ranks, and the ranks that may be added. */
interface Bounds {
  /** No position above this rank is tracked, or may be. */
  highest: number;
  /** A position that is not tracked joins below this rank. */
  joinBelow: number;
}

/**
 * The sample of the track record: the open positions with the lowest ranks. All others are skipped without a
 * statement, so that following some hundred positions costs little on a platform with a million.
 */
@Injectable()
export class Panel {
  private bounds: Bounds | null = null;
  private readAtMs = 0;

  constructor(
    private readonly config: SimulationConfig,
    private readonly clock: Clock,
  ) {}

  /** False: the position is not tracked and cannot join. */
  async mayTrack(tx: SqlExecutor, ranks: readonly number[]): Promise<boolean[]> {
    const { highest } = await this.read(tx);
    return ranks.map((rank) => rank <= highest);
  }

  async mayJoin(tx: SqlExecutor, rank: number): Promise<boolean> {
    return rank < (await this.read(tx)).joinBelow;
  }

  /** Call it when a position was added or removed. */
  forget(): void {
    this.bounds = null;
  }

  private async read(tx: SqlExecutor): Promise<Bounds> {
    const nowMs = this.clock.now();
    if (this.bounds && Math.abs(nowMs - this.readAtMs) < RETENTION_MS) return this.bounds;
    const { rows } = await tx.query<{ highest: string | null; last: string | null }>(
      {
        name: 'panel-bounds',
        text: `SELECT max(rank) AS highest,
               (SELECT rank FROM tracked_positions ORDER BY rank, id OFFSET $1::int - 1 LIMIT 1) AS last
             FROM tracked_positions`,
      },
      [this.config.TRACK_RECORD_POSITIONS],
    );
    const { highest = null, last = null } = rows[0] ?? {};
    this.bounds =
      last === null || highest === null
        ? { highest: RANKS, joinBelow: RANKS }
        : { highest: Number(highest), joinBelow: Number(last) };
    this.readAtMs = nowMs;
    return this.bounds;
  }
}
