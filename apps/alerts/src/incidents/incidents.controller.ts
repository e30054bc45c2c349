import { Controller, Get, Param, Query } from '@nestjs/common';
import {
  FieldsQuery,
  type Identity,
  IncidentAnswer,
  IncidentList,
  ListIncidentsQuery,
  notFound,
  recordId,
} from '@plimsoll/contracts';
import { Documented } from '@plimsoll/openapi';
import { CurrentIdentity, idOfCursor, pageOf } from '@plimsoll/service-kit';
import { IncidentsReader } from './incidents.reader';

@Controller('v1/incidents')
export class IncidentsController {
  constructor(private readonly incidents: IncidentsReader) {}

  @Get()
  @Documented({
    operationId: 'listIncidents',
    tag: 'Incidents',
    summary: 'Incidents of the account',
    description:
      'An incident concerns one protocol on one chain. A critical alert, a liquidation, or the third alert there within ten minutes opens it. Later alerts join it. It closes when all its alerts have resolved. Newest first.',
    responses: [{ status: 200, description: 'A page of incidents.', schema: IncidentList }],
  })
  async list(
    @CurrentIdentity() { accountId }: Identity,
    @Query() { status, limit, cursor }: ListIncidentsQuery,
  ): Promise<IncidentList> {
    const found = await this.incidents.list(accountId, status, idOfCursor(cursor), limit + 1);
    const { items, nextCursor } = pageOf(found, limit, ({ id }) => [id]);
    return { incidents: items, count: items.length, nextCursor };
  }

  @Get(':id')
  @Documented({
    operationId: 'getIncident',
    tag: 'Incidents',
    summary: 'One incident with its timeline',
    description: 'Every fact has its time, its block and the figures of the position at that block.',
    path: { id: recordId('inc', 'Id of the incident.') },
    responses: [{ status: 200, description: 'The incident.', schema: IncidentAnswer }],
    errors: ['not_found'],
  })
  async find(
    @CurrentIdentity() { accountId }: Identity,
    @Param('id') id: string,
    @Query() _fields: FieldsQuery,
  ): Promise<IncidentAnswer> {
    const incident = await this.incidents.find(accountId, id);
    if (incident === null) throw notFound('incident');
    return { incident };
  }
}
