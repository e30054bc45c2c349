import { Body, Controller, Get, HttpCode, Post, Query } from '@nestjs/common';
import { type PriceBatch, PriceBatchBody, type PriceList, PricesQuery } from '@plimsoll/contracts';
import { PricesService } from './prices.service';

@Controller('v1/prices')
export class PricesController {
  constructor(private readonly prices: PricesService) {}

  @Get()
  list(@Query() { symbols }: PricesQuery): PriceList {
    return this.prices.list(symbols);
  }

  @Post('batch')
  @HttpCode(200)
  batch(@Body() { symbols }: PriceBatchBody): PriceBatch {
    return this.prices.batch(symbols);
  }
}
