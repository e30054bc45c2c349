import { Injectable, Logger } from '@nestjs/common';
import { PeriodicService, Clock } from '@plimsoll/service-kit';
import { toWad } from '../amounts/position';
import { ExecutionConfig } from '../config';
import type { ExecutionRow, StepRow } from '../executions/execution-row';
import { PlannerService } from '../planning/planner.service';
import { healthFactorNumber } from '../planning/usd';
import { BuiltRepository } from './built.repository';

/** Builds that one round checks. */
const BATCH = 20;
/** A build is checked again after this many rounds. */
const ROUNDS_BETWEEN = 10;
/** Time after its deadline until a build with an unreadable position is given up. */
const GIVE_UP_MS = 3_600_000;

/**
 * Follows builds whose transactions the wallet sends: completed when the position reaches its target on
 * chain, cancelled when the deadline passes before.
 */
@Injectable()
export class BuiltWatcher extends PeriodicService {
  private readonly logger = new Logger('built');

  constructor(
    private readonly config: ExecutionConfig,
    private readonly repository: BuiltRepository,
    private readonly planner: PlannerService,
    private readonly clock: Clock,
  ) {
    super({
      name: BuiltWatcher.name,
      everyMs: config.FOLLOW_POLL_MS,
      failure: 'built executions could not be checked; the next round tries again',
      random: () => clock.random(),
    });
  }

  /** Handles one batch. Returns true when there may be more. */
  protected async round(): Promise<boolean> {
    const due = await this.repository.claimDue(BATCH, ROUNDS_BETWEEN * this.config.FOLLOW_POLL_MS);
    for (const row of due) {
      try {
        await this.poll(row);
      } catch (error) {
        await this.blocked(row, error);
      }
    }
    return due.length === BATCH;
  }

  private async poll(row: ExecutionRow): Promise<void> {
    const { id, protocol, chainId, market, subId, wallet, positionId } = row;
    const place = { id: positionId, protocol, chainId, market, wallet, ...(subId !== null && { subId }) };
    const { block, position } = await this.planner.sceneOf(place);
    const reached = position.healthFactorRaw;
    if (reached === null || reached >= toWad(row.targetHealthFactor)) {
      await this.repository.end(id, {
        status: 'completed',
        healthFactorAfter: healthFactorNumber(reached),
        failure: null,
        step: this.step('completed', 'The position is at its target on chain.', Number(block.number)),
      });
    } else if (this.clock.now() >= row.deadlineMs) await this.cancel(row);
  }

  private async blocked(row: ExecutionRow, error: unknown): Promise<void> {
    this.logger.warn({ msg: 'the position of a build cannot be read', executionId: row.id, err: error });
    if (this.clock.now() >= row.deadlineMs + GIVE_UP_MS) await this.cancel(row);
  }

  private cancel({ id }: ExecutionRow): Promise<void> {
    const message = 'The deadline passed before the position was at its target on chain.';
    return this.repository.end(id, {
      status: 'cancelled',
      healthFactorAfter: null,
      failure: { code: 'deadline_passed', message },
      step: this.step('cancelled', message, null),
    });
  }

  private step(name: StepRow['name'], detail: string, block: number | null): StepRow {
    return { name, atMs: this.clock.now(), detail, transactionHash: null, block };
  }
}
