import { Controller } from '@nestjs/common';
import { EventPattern, Payload } from '@nestjs/microservices';
import type { AlertV1 } from '@plimsoll/contracts';
import type { EventBatch } from '@plimsoll/event-bus';
import { type OpenAlert, OpenAlertsRepository } from './open-alerts.repository';

/** Keeps the active alerts of each wallet. Events of one account arrive in order. */
@Controller()
export class AlertConsumer {
  constructor(private readonly alerts: OpenAlertsRepository) {}

  @EventPattern('alert.v1')
  async handle(@Payload() { events, tx }: EventBatch<AlertV1>): Promise<void> {
    const last = new Map(events.flatMap(({ value }) => (value ? [[value.alertId, value] as const] : [])));
    const alerts = [...last.values()];
    await this.alerts.open(tx, alerts.filter(({ status }) => status === 'active').flatMap(openAlert));
    const resolved = alerts.filter(({ status }) => status === 'resolved');
    await this.alerts.close(
      tx,
      resolved.map(({ alertId }) => alertId),
    );
  }
}

function openAlert({ alertId, accountId, position, content }: AlertV1): OpenAlert[] {
  const wallet = position?.wallet ?? content?.wallet;
  return wallet ? [{ alertId, accountId, wallet: wallet.toLowerCase() }] : [];
}
