import { Controller, Get, Query } from '@nestjs/common';
import { PriceHistory, PriceHistoryQuery } from '@plimsoll/contracts';
import { Documented } from '@plimsoll/openapi';
import { HistoryService } from './history.service';

@Controller('v1/prices/history')
export class HistoryController {
  constructor(private readonly histories: HistoryService) {}

  @Get()
  @Documented({
    operationId: 'getPriceHistory',
    tag: 'Prices',
    summary: 'Daily prices of a token',
    description:
      'Open, high, low and close of each completed UTC day. A day without prices is marked as a gap and is never interpolated.',
    responses: [{ status: 200, description: 'The days, oldest first.', schema: PriceHistory }],
    errors: ['not_found'],
  })
  find(@Query() { symbol, days }: PriceHistoryQuery): Promise<PriceHistory> {
    return this.histories.find(symbol, days);
  }
}
