import { Controller, Get, Param, Query } from '@nestjs/common';
import {
  type Identity,
  type IncidentAnswer,
  type IncidentList,
  ListIncidentsQuery,
  notFound,
} from '@plimsoll/contracts';
import { CurrentIdentity } from '@plimsoll/service-kit';
import { beforeIdOf, pageOf } from '../infrastructure/page';
import { IncidentsReader } from './incidents.reader';

@Controller('v1/incidents')
export class IncidentsController {
  constructor(private readonly incidents: IncidentsReader) {}

  @Get()
  async list(
    @CurrentIdentity() { accountId }: Identity,
    @Query() { status, limit, cursor }: ListIncidentsQuery,
  ): Promise<IncidentList> {
    const found = await this.incidents.list(accountId, status, beforeIdOf(cursor), limit + 1);
    const { items, nextCursor } = pageOf(found, limit);
    return { incidents: items, count: items.length, nextCursor };
  }

  @Get(':id')
  async find(@CurrentIdentity() { accountId }: Identity, @Param('id') id: string): Promise<IncidentAnswer> {
    const incident = await this.incidents.find(accountId, id);
    if (incident === null) throw notFound('incident');
    return { incident };
  }
}
