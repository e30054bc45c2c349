import { Controller, Get, Param, Query } from '@nestjs/common';
import { PageQuery, type ProtocolAnswer, type ProtocolList } from '@plimsoll/contracts';
import { ProtocolsService } from './protocols.service';

@Controller('v1/protocols')
export class ProtocolsController {
  constructor(private readonly protocols: ProtocolsService) {}

  @Get()
  list(@Query() { limit, cursor }: PageQuery): Promise<ProtocolList> {
    return this.protocols.list(limit, cursor);
  }

  @Get(':id')
  find(@Param('id') id: string): Promise<ProtocolAnswer> {
    return this.protocols.find(id);
  }
}
