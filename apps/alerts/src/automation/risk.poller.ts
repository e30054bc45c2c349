import { Injectable, Logger } from '@nestjs/common';
import { Clock, PeriodicService, ServiceCalls, inTransaction } from '@plimsoll/service-kit';
import { Pool } from 'pg';
import { WatchesRepository } from '../accounts/watches.repository';
import { AlertsConfig } from '../config';
import { EvaluationService } from '../evaluation/evaluation.service';
import { again } from '../positions/evaluation';
import type { RiskFigures } from '../positions/position-state';
import { PositionsRepository } from '../positions/positions.repository';
import { RiskLookup } from './lookups';
import { RiskRepository } from './risk.repository';

/** Most positions whose risk is requested between two transactions. */
const LIMIT = 50;
/** Less than the simulations that one account may have in work at a time. */
const CONCURRENT_REQUESTS = 4;
/** Every request may take its own deadline, and then the positions are evaluated. */
const ROUND_DEADLINE_MS = 150_000;

/**
 * Requests the risk of every position with a rule on risk, and evaluates it. Any number of instances may
 * poll: no instance requests the risk of a position again within the interval.
 */
@Injectable()
export class RiskPoller extends PeriodicService {
  private readonly logger = new Logger('risk-poller');

  constructor(
    private readonly pool: Pool,
    private readonly clock: Clock,
    private readonly config: AlertsConfig,
    private readonly watches: WatchesRepository,
    private readonly positions: PositionsRepository,
    private readonly risks: RiskRepository,
    private readonly lookup: RiskLookup,
    private readonly calls: ServiceCalls,
    private readonly evaluation: EvaluationService,
  ) {
    super({
      name: 'risk-poller',
      everyMs: config.RISK_POLL_MS,
      failure: 'risk figures cannot be read; the next poll tries again',
      deadlineMs: ROUND_DEADLINE_MS,
    });
  }

  /** @returns whether more positions may be due */
  protected async round(signal: AbortSignal): Promise<boolean> {
    const nowMs = this.clock.now();
    const claimed = await this.risks.claim(nowMs, this.config.RISK_POLL_MS, LIMIT);
    const figures = await this.request(claimed, signal);
    if (figures.size > 0) await this.evaluate(figures, nowMs);
    return claimed.length === LIMIT;
  }

  private async request(
    positionIds: readonly string[],
    signal: AbortSignal,
  ): Promise<Map<string, RiskFigures>> {
    const figures = new Map<string, RiskFigures>();
    const failures: unknown[] = [];
    const waiting = [...positionIds];
    const work = async (): Promise<void> => {
      for (let id = waiting.shift(); id !== undefined && !signal.aborted; id = waiting.shift()) {
        const caller = this.calls.ownCaller(Date.now());
        const read = this.lookup.read(caller, id);
        await read.then((risk) => figures.set(id, risk)).catch((error: unknown) => failures.push(error));
      }
    };
    await Promise.all(Array.from({ length: CONCURRENT_REQUESTS }, work));
    if (failures.length > 0) {
      this.logger.warn({
        msg: 'the risk of some positions is unknown; the next poll tries again',
        positions: failures.length,
        err: failures[0],
      });
    }
    return figures;
  }

  private evaluate(figures: ReadonlyMap<string, RiskFigures>, nowMs: number): Promise<void> {
    return inTransaction(this.pool, async (tx) => {
      await this.watches.lockForReading(tx);
      const states = await this.positions.lockStates(tx, [...figures.keys()]);
      await this.risks.save(tx, figures);
      const evaluations = [...states.values()].map((state) =>
        again({ ...state, ...figures.get(state.id) }, nowMs, {}),
      );
      await this.evaluation.run(tx, evaluations);
    });
  }
}
