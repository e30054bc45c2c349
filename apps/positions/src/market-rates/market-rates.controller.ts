import { Controller, Get, Param, Query } from '@nestjs/common';
import {
  ListMarketRatesQuery,
  MarketRateHistory,
  MarketRateHistoryQuery,
  MarketRateList,
  recordId,
} from '@plimsoll/contracts';
import { Documented } from '@plimsoll/openapi';
import { MarketRatesService } from './market-rates.service';

@Controller('v1/markets/rates')
export class MarketRatesController {
  constructor(private readonly rates: MarketRatesService) {}

  @Get()
  @Documented({
    operationId: 'listMarketRates',
    tag: 'Markets',
    summary: 'Supply and borrow rates',
    description:
      'The rates of every asset that the covered markets lend, at a block. Each rate has the whole number that the contract states beside the percentages. `unknown` lists the markets without rates.',
    responses: [{ status: 200, description: 'A page of rates.', schema: MarketRateList }],
  })
  list(@Query() query: ListMarketRatesQuery): Promise<MarketRateList> {
    return this.rates.list(query);
  }

  @Get(':id/history')
  @Documented({
    operationId: 'listMarketRateHistory',
    tag: 'Markets',
    summary: 'History of the rates of an asset in a market',
    description:
      'Average and last rates of each hour or day, newest first, for 366 days. The platform reads rates several times an hour. A history begins when the platform begins to read the market. Buckets without a read are absent.',
    path: { id: recordId('mkt', 'Id of the asset in its market, as in GET /v1/markets/rates.') },
    responses: [{ status: 200, description: 'A page of buckets.', schema: MarketRateHistory }],
    errors: ['not_found'],
  })
  history(@Param('id') id: string, @Query() query: MarketRateHistoryQuery): Promise<MarketRateHistory> {
    return this.rates.history(id, query);
  }
}
