import { Controller, Get, Query } from '@nestjs/common';
import {
  HistoricalQuery,
  type HistoricalSnapshots,
  type Identity,
  type PortfolioAnalytics,
  PortfolioQuery,
} from '@plimsoll/contracts';
import { CurrentIdentity } from '@plimsoll/service-kit';
import { HistoricalService } from './historical.service';
import { PortfolioService } from './portfolio.service';

@Controller('v1/analytics')
export class AnalyticsController {
  constructor(
    private readonly portfolios: PortfolioService,
    private readonly historical: HistoricalService,
  ) {}

  @Get('portfolio')
  portfolio(
    @CurrentIdentity() identity: Identity,
    @Query() query: PortfolioQuery,
  ): Promise<PortfolioAnalytics> {
    return this.portfolios.portfolio(identity, query);
  }

  @Get('historical')
  history(
    @CurrentIdentity() identity: Identity,
    @Query() query: HistoricalQuery,
  ): Promise<HistoricalSnapshots> {
    return this.historical.list(identity, query);
  }
}
