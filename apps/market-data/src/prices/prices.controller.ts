import { Body, Controller, Get, HttpCode, Post, Query } from '@nestjs/common';
import { PriceBatch, PriceBatchBody, PriceList, PricesQuery } from '@plimsoll/contracts';
import { Documented } from '@plimsoll/openapi';
import { PricesService } from './prices.service';

const QUALITY_NOTE =
  'The price is the median of the sources that are fresh and agree. When none is fresh, the response has the last known price with `isStale`. A source that is far from the others is ignored, and `isDeviating` is true. On a local platform the local market is the source.';

@Controller('v1/prices')
export class PricesController {
  constructor(private readonly prices: PricesService) {}

  @Get()
  @Documented({
    operationId: 'listPrices',
    tag: 'Prices',
    summary: 'Prices of tokens',
    description: `${QUALITY_NOTE} Symbols without a price are only named in \`missing\`.`,
    responses: [{ status: 200, description: 'The prices.', schema: PriceList }],
  })
  list(@Query() { symbols }: PricesQuery): PriceList {
    return this.prices.list(symbols);
  }

  @Post('batch')
  @HttpCode(200)
  @Documented({
    operationId: 'batchPrices',
    tag: 'Prices',
    summary: 'Prices of tokens with market capitalisation',
    description: `${QUALITY_NOTE} Symbols without a price are only named in \`missing\`.`,
    responses: [{ status: 200, description: 'The prices.', schema: PriceBatch }],
  })
  batch(@Body() { symbols }: PriceBatchBody): PriceBatch {
    return this.prices.batch(symbols);
  }
}
