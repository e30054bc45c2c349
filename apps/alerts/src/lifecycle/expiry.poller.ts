import { Injectable } from '@nestjs/common';
import { Clock, PeriodicService, inTransaction } from '@plimsoll/service-kit';
import { Pool } from 'pg';
import { AlertsConfig } from '../config';
import type { Alert, AlertText } from './alert';
import { AlertLifecycle } from './alert-lifecycle.service';
import { AlertsRepository } from './alerts.repository';

/** Most alerts of one kind in one transaction. */
const LIMIT = 200;

/** A kind of alerts that resolve by themselves. */
export interface ExpiringKind {
  /** SQL: the condition of an index on the expiry. */
  condition: string;
  endedText(alert: Alert): AlertText;
}

/** Resolves alerts whose time is over. Any number of instances may poll. */
@Injectable()
export class ExpiryPoller extends PeriodicService {
  private readonly kinds: ExpiringKind[] = [];

  constructor(
    private readonly pool: Pool,
    private readonly clock: Clock,
    config: AlertsConfig,
    private readonly alerts: AlertsRepository,
    private readonly lifecycle: AlertLifecycle,
  ) {
    super({
      name: 'alert-expiry',
      everyMs: config.WHALE_EXPIRY_POLL_MS,
      failure: 'expired alerts cannot be resolved; the next poll tries again',
    });
  }

  /** Resolves alerts of this kind from now on. */
  add(kind: ExpiringKind): void {
    this.kinds.push(kind);
  }

  /** @returns whether more may have expired */
  protected round(): Promise<boolean> {
    return inTransaction(this.pool, async (tx) => {
      let hasMore = false;
      for (const { condition, endedText } of this.kinds) {
        const expired = await this.alerts.lockExpired(tx, condition, this.clock.now(), LIMIT);
        await this.lifecycle.resolve(
          tx,
          expired.map((alert) => ({ alert, text: endedText(alert), cause: {} })),
        );
        hasMore ||= expired.length === LIMIT;
      }
      return hasMore;
    });
  }
}
