import { Injectable } from '@nestjs/common';
import { type Correlation, type Severity, newId } from '@plimsoll/contracts';
import { type SqlExecutor, appendToOutbox, outgoing } from '@plimsoll/event-bus';
import { continueCorrelation } from '@plimsoll/service-kit';
import { alertWithoutPosition } from '../../lifecycle/alert-without-position';
import { Clock } from '../../clock';
import type { AlertText } from '../position/alert-text';
import type { EndpointAlert } from './endpoint-alert';
import { EndpointAlertsRepository } from './endpoint-states.repository';

/**
 * Opens and resolves alerts about endpoints. The alert.v1 event of each is part of the caller's transaction.
 */
@Injectable()
export class EndpointAlerts {
  constructor(
    private readonly alerts: EndpointAlertsRepository,
    private readonly clock: Clock,
  ) {}

  async open(
    tx: SqlExecutor,
    of: Pick<EndpointAlert, 'accountId' | 'webhookId'>,
    severity: Severity,
    text: AlertText,
    cause: Correlation,
  ): Promise<EndpointAlert> {
    const { accountId, webhookId } = of;
    const createdAtMs = this.clock.now();
    const opened = { id: newId('alt'), accountId, webhookId, severity, ...text, createdAtMs };
    await this.alerts.insert(tx, opened);
    await this.publish(tx, opened, text, null, cause);
    return opened;
  }

  async resolve(tx: SqlExecutor, alert: EndpointAlert, text: AlertText, cause: Correlation): Promise<void> {
    const nowMs = this.clock.now();
    await this.alerts.resolve(tx, alert.id, nowMs);
    await this.publish(tx, alert, text, nowMs, cause);
  }

  private async publish(
    tx: SqlExecutor,
    alert: EndpointAlert,
    { title, message }: AlertText,
    resolvedAtMs: number | null,
    { requestId, traceparent }: Correlation,
  ): Promise<void> {
    const value = alertWithoutPosition({
      ...alert,
      type: 'webhook_disabled',
      title,
      message,
      confidenceScore: 1,
      resolvedAtMs,
    });
    await appendToOutbox(tx, [outgoing('alert.v1', value, continueCorrelation(requestId, traceparent))]);
  }
}
