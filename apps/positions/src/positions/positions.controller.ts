import { Controller, Get, Param, Query } from '@nestjs/common';
import {
  type Identity,
  ListPositionsQuery,
  PositionDetail,
  PositionList,
  PositionQuery,
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
      'The position with each asset’s amount, value and price, with the exact figures of the chain. A closed position stays readable, without assets. While its chain cannot be read, the response has its stored state with its own `block`, or is a 503 without one. With `receipt`, all figures are those of a new reading at the same block, and the response has its signed receipt. A process makes 4 at a time, more wait up to 5 s. It is a 503 when the block cannot be read again, and a 404 for a closed position.',
    path: { id: recordId('pos', 'Id of the position.') },
    responses: [{ status: 200, description: 'The position.', schema: PositionDetail }],
    errors: ['not_found', 'upstream_failed'],
  })
  detail(
    @CurrentIdentity() identity: Identity,
    @Param('id') id: string,
    @Query() query: PositionQuery,
  ): Promise<PositionDetail> {
    return this.positions.detail(identity, id, query);
  }
}
