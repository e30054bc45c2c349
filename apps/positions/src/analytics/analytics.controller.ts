import { Controller, Get, Query } from '@nestjs/common';
import {
  HistoricalQuery,
  HistoricalSnapshots,
  type Identity,
  PortfolioAnalytics,
  PortfolioQuery,
} from '@plimsoll/contracts';
import { Documented } from '@plimsoll/openapi';
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
  @Documented({
    operationId: 'getPortfolio',
    tag: 'Analytics',
    summary: 'Watched wallets as one portfolio',
    description:
      'Totals of the open positions of the account’s watched wallets, of the given wallets, or of one position. Parts that could not be read are missing in the figures and named in `unreadable`.',
    responses: [{ status: 200, description: 'The portfolio.', schema: PortfolioAnalytics }],
    errors: ['not_found', 'tier_limit_exceeded'],
  })
  portfolio(
    @CurrentIdentity() identity: Identity,
    @Query() query: PortfolioQuery,
  ): Promise<PortfolioAnalytics> {
    return this.portfolios.portfolio(identity, query);
  }

  @Get('historical')
  @Documented({
    operationId: 'listSnapshots',
    tag: 'Analytics',
    summary: 'Past states of positions',
    description:
      'Snapshots of the positions of watched wallets, newest first: one an hour, and one at each change of a principal, of the risk band, or of 1 % in health factor. After 7 days the last of each hour remains, after 90 days the last of each UTC day. A wallet’s history begins when the account begins to watch it. More days than the tier allows are a 400. A wallet that is not watched is a 404.',
    responses: [{ status: 200, description: 'A page of snapshots.', schema: HistoricalSnapshots }],
    errors: ['not_found', 'tier_limit_exceeded'],
  })
  history(
    @CurrentIdentity() identity: Identity,
    @Query() query: HistoricalQuery,
  ): Promise<HistoricalSnapshots> {
    return this.historical.list(identity, query);
  }
}
