import { Controller, Get, Query } from '@nestjs/common';
import { type PriceHistory, PriceHistoryQuery } from '@plimsoll/contracts';
import { HistoryService } from './history.service';

@Controller('v1/prices/history')
export class HistoryController {
  constructor(private readonly histories: HistoryService) {}

  @Get()
  find(@Query() { symbol, days }: PriceHistoryQuery): Promise<PriceHistory> {
    return this.histories.find(symbol, days);
  }
}
