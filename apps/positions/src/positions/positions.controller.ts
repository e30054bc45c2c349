import { Controller, Get, Param, Query } from '@nestjs/common';
import {
  type Identity,
  ListPositionsQuery,
  type PositionDetail,
  type PositionList,
} from '@plimsoll/contracts';
import { CurrentIdentity } from '@plimsoll/service-kit';
import { PositionsService } from './positions.service';

@Controller('v1/positions')
export class PositionsController {
  constructor(private readonly positions: PositionsService) {}

  @Get()
  list(@CurrentIdentity() identity: Identity, @Query() query: ListPositionsQuery): Promise<PositionList> {
    return this.positions.list(identity, query);
  }

  @Get(':id')
  detail(@Param('id') id: string): Promise<PositionDetail> {
    return this.positions.detail(id);
  }
}
