import { Controller, Get, Param, Query } from '@nestjs/common';
import {
  FieldsQuery,
  type Identity,
  ListPositionsQuery,
  PositionDetail,
  PositionList,
  recordId,
} from '@plimsoll/contracts';
import { Documented } from '@plimsoll/openapi';
import { CurrentIdentity } from '@plimsoll/service-kit';
import { PositionsService } from './positions.service';

@Controller('v1/positions')
export class PositionsController {
  constructor(private readonly positions: PositionsService) {}

  @Get()
  @Documented({
    operationId: 'listPositions',
    tag: 'Positions',
    summary: 'Positions of wallets',
    description:
      'Every open position of the given wallets, or of the account’s watched wallets, lowest health factor first unless `sort` states another order. Filters apply together. Positions are public, so any wallet is allowed. A wallet without positions adds nothing. `riskLevel` is the level of the figures beside it, and `riskLevelReason` states the figure and the threshold behind it. `unreadable` names what could not be read. An empty list means no positions only when `unreadable` is empty too.',
    responses: [{ status: 200, description: 'A page of positions.', schema: PositionList }],
    errors: ['tier_limit_exceeded'],
  })
  list(@CurrentIdentity() identity: Identity, @Query() query: ListPositionsQuery): Promise<PositionList> {
    return this.positions.list(identity, query);
  }

  @Get(':id')
  @Documented({
    operationId: 'getPosition',
    tag: 'Positions',
    summary: 'One position with its assets',
    description:
      'The position with each asset’s amount, value and price, with the exact figures of the chain. A closed position stays readable, without assets. While its chain cannot be read, the response has its stored state with its own `block`, or is a 503 without one.',
    path: { id: recordId('pos', 'Id of the position.') },
    responses: [{ status: 200, description: 'The position.', schema: PositionDetail }],
    errors: ['not_found'],
  })
  detail(@Param('id') id: string, @Query() _fields: FieldsQuery): Promise<PositionDetail> {
    return this.positions.detail(id);
  }
}
