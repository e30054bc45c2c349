import { Controller, Get, Param, Query } from '@nestjs/common';
import { FieldsQuery, PageQuery, ProtocolAnswer, ProtocolList } from '@plimsoll/contracts';
import { Documented } from '@plimsoll/openapi';
import { ProtocolsService } from './protocols.service';

@Controller('v1/protocols')
export class ProtocolsController {
  constructor(private readonly protocols: ProtocolsService) {}

  @Get()
  @Documented({
    operationId: 'listProtocols',
    tag: 'Registry',
    summary: 'Covered protocols',
    description:
      'Every protocol of the registry, highest TVL first. Protocols without a configured chain have the status unconfigured, and their size and risk tier are unknown unless an external source states their value.',
    responses: [{ status: 200, description: 'A page of protocols.', schema: ProtocolList }],
  })
  list(@Query() { limit, cursor }: PageQuery): Promise<ProtocolList> {
    return this.protocols.list(limit, cursor);
  }

  @Get(':id')
  @Documented({
    operationId: 'getProtocol',
    tag: 'Registry',
    summary: 'One protocol with its markets',
    description: 'The protocol and each of its markets that the platform reads, with its totals.',
    path: { id: { type: 'string', description: 'Protocol id.', examples: ['aave-v3'] } },
    responses: [{ status: 200, description: 'The protocol.', schema: ProtocolAnswer }],
    errors: ['not_found'],
  })
  find(@Param('id') id: string, @Query() _fields: FieldsQuery): Promise<ProtocolAnswer> {
    return this.protocols.find(id);
  }
}
