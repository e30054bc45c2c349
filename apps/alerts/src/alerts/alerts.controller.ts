import { Controller, Get, Query } from '@nestjs/common';
import { type AlertList, type Identity, ListAlertsQuery } from '@plimsoll/contracts';
import { CurrentIdentity, decodeCursor, encodeCursor } from '@plimsoll/service-kit';
import { AlertsRepository } from './alerts.repository';

@Controller('v1/alerts')
export class AlertsController {
  constructor(private readonly alerts: AlertsRepository) {}

  @Get()
  async list(
    @CurrentIdentity() { accountId }: Identity,
    @Query() { status, limit, cursor }: ListAlertsQuery,
  ): Promise<AlertList> {
    const [beforeId] = decodeCursor(cursor, ['string']) ?? [];
    const found = await this.alerts.list(
      accountId,
      status,
      beforeId === undefined ? null : String(beforeId),
      limit + 1,
    );
    const alerts = found.slice(0, limit);
    const last = alerts.at(-1);
    return { alerts, nextCursor: last && found.length > limit ? encodeCursor([last.id]) : null };
  }
}
