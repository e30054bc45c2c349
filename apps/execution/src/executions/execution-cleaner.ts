import { Inject, Injectable } from '@nestjs/common';
import { PeriodicService, Clock } from '@plimsoll/service-kit';
import { Pool } from 'pg';
import { ExecutionConfig } from '../config';

const DAY_MS = 86_400_000;
const EVERY_MS = 600_000;
const BATCH_ROWS = 1_000;
/** The clocks of two instances may differ. */
const NONCE_MARGIN_MS = 3_600_000;

/**
 * Deletes completed executions, expired authorisations and entries of the audit log, older than EXECUTION_DAYS, and
 * nonces whose text has expired.
 */
@Injectable()
export class ExecutionCleaner extends PeriodicService {
  constructor(
    @Inject(Pool) private readonly pool: Pool,
    private readonly clock: Clock,
    private readonly config: ExecutionConfig,
  ) {
    super({
      name: ExecutionCleaner.name,
      everyMs: EVERY_MS,
      failure: 'old executions could not be deleted; the next round tries again',
      waitsFirst: true,
      random: () => clock.random(),
    });
  }

  /** Deletes one batch of each. Returns true when there may be more. */
  async round(): Promise<boolean> {
    const before = this.clock.now() - this.config.EXECUTION_DAYS * DAY_MS;
    const executions = await this.pool.query(
      `DELETE FROM executions WHERE id IN (
         SELECT id FROM executions
         WHERE updated_at < to_timestamp($1::float8 / 1000) AND status NOT IN ('pending', 'running') LIMIT $2)`,
      [before, BATCH_ROWS],
    );
    const audit = await this.pool.query(
      `DELETE FROM audit WHERE id IN (
         SELECT id FROM audit WHERE at < to_timestamp($1::float8 / 1000) LIMIT $2)`,
      [before, BATCH_ROWS],
    );
    const authorisations = await this.pool.query(
      `DELETE FROM authorisations WHERE id IN (
         SELECT id FROM authorisations WHERE expires_at < to_timestamp($1::float8 / 1000) LIMIT $2)`,
      [before, BATCH_ROWS],
    );
    const nonces = await this.pool.query(
      `DELETE FROM authorisation_nonces WHERE ctid IN (
         SELECT ctid FROM authorisation_nonces WHERE expires_at < to_timestamp($1::float8 / 1000) LIMIT $2)`,
      [this.clock.now() - NONCE_MARGIN_MS, BATCH_ROWS],
    );
    return [executions, audit, authorisations, nonces].some(({ rowCount }) => rowCount === BATCH_ROWS);
  }
}
