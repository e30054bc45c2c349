import { Controller, Get, Query } from '@nestjs/common';
import { RiskMetrics, RiskMetricsQuery } from '@plimsoll/contracts';
import { Documented } from '@plimsoll/openapi';
import { type Caller, RequestAborted, CurrentCaller, LimitedConcurrency } from '@plimsoll/service-kit';
import { RiskMetricsService } from './risk-metrics.service';

const ON_HISTORY =
  'While the price history of an asset is unavailable, the response is a 503 that names it. A position without debt needs none.';

@Controller('v1/risk')
export class RiskMetricsController {
  constructor(private readonly service: RiskMetricsService) {}

  @Get('metrics')
  @LimitedConcurrency('simulations')
  @Documented({
    operationId: 'getRiskMetrics',
    tag: 'Risk',
    summary: 'Risk of a portfolio',
    description: `Value at risk, expected shortfall, volatility and Sharpe ratio of the account's watched wallets, or of the given wallets or position: today's net exposures under each day of the past year. The loss of a day is at most the net worth. ${ON_HISTORY}`,
    responses: [{ status: 200, description: 'The figures.', schema: RiskMetrics }],
    errors: ['not_found', 'tier_limit_exceeded'],
  })
  metrics(
    @CurrentCaller() caller: Caller,
    @RequestAborted() left: AbortSignal,
    @Query() query: RiskMetricsQuery,
  ): Promise<RiskMetrics> {
    return this.service.measure(caller, query, left);
  }
}
