import { Body, Controller, Get, HttpCode, Param, Post } from '@nestjs/common';
import {
  type DeleverageAnswer,
  DeleverageBody,
  type ForecastAnswer,
  ForecastBody,
  type RiskScoreAnswer,
} from '@plimsoll/contracts';
import { type Caller, RequestAborted, CurrentCaller, LimitedConcurrency } from '@plimsoll/service-kit';
import { DeleverageService } from './deleverage.service';
import { ForecastService } from './forecast.service';
import { RiskScoreService } from './risk-score.service';

@Controller('v1/positions/:id')
export class PositionRiskController {
  constructor(
    private readonly scores: RiskScoreService,
    private readonly forecasts: ForecastService,
    private readonly plans: DeleverageService,
  ) {}

  @Get('risk-score')
  @LimitedConcurrency('simulations')
  riskScore(
    @CurrentCaller() caller: Caller,
    @RequestAborted() left: AbortSignal,
    @Param('id') id: string,
  ): Promise<RiskScoreAnswer> {
    return this.scores.score(caller, id, left);
  }

  @Post('forecast')
  @HttpCode(200)
  @LimitedConcurrency('simulations')
  forecast(
    @CurrentCaller() caller: Caller,
    @RequestAborted() left: AbortSignal,
    @Param('id') id: string,
    @Body() body?: ForecastBody,
  ): Promise<ForecastAnswer> {
    return this.forecasts.forecast(caller, id, body?.drift, left);
  }

  @Post('deleverage')
  @HttpCode(200)
  @LimitedConcurrency('simulations')
  deleverage(
    @CurrentCaller() caller: Caller,
    @RequestAborted() left: AbortSignal,
    @Param('id') id: string,
    @Body() body: DeleverageBody,
  ): Promise<DeleverageAnswer> {
    return this.plans.plan(caller, id, body, left);
  }
}
