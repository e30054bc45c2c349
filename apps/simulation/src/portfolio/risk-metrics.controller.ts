import { Controller, Get, Query } from '@nestjs/common';
import { type RiskMetrics, RiskMetricsQuery } from '@plimsoll/contracts';
import { type Caller, RequestAborted, CurrentCaller, LimitedConcurrency } from '@plimsoll/service-kit';
import { RiskMetricsService } from './risk-metrics.service';

@Controller('v1/risk')
export class RiskMetricsController {
  constructor(private readonly service: RiskMetricsService) {}

  @Get('metrics')
  @LimitedConcurrency('simulations')
  metrics(
    @CurrentCaller() caller: Caller,
    @RequestAborted() left: AbortSignal,
    @Query() query: RiskMetricsQuery,
  ): Promise<RiskMetrics> {
    return this.service.measure(caller, query, left);
  }
}
