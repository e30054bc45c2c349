import { Body, Controller, Get, HttpCode, Param, Post } from '@nestjs/common';
import {
  DeleverageAnswer,
  DeleverageBody,
  ForecastAnswer,
  ForecastBody,
  type Identity,
  RiskScoreAnswer,
  recordId,
} from '@plimsoll/contracts';
import { Documented } from '@plimsoll/openapi';
import {
  type Caller,
  RequestAborted,
  CurrentCaller,
  CurrentIdentity,
  LimitedConcurrency,
} from '@plimsoll/service-kit';
import { DeleverageService } from './deleverage.service';
import { ForecastService } from './forecast.service';
import { RiskScoreService } from './risk-score.service';

const path = { id: recordId('pos', 'Id of the position.') };

const ON_HISTORY =
  'While the price history of an asset is unavailable, the response is a 503 that names it. A position without debt needs none.';

@Controller('v1/positions/:id')
export class PositionRiskController {
  constructor(
    private readonly scores: RiskScoreService,
    private readonly forecasts: ForecastService,
    private readonly plans: DeleverageService,
  ) {}

  @Get('risk-score')
  @LimitedConcurrency('simulations')
  @Documented({
    operationId: 'getRiskScore',
    tag: 'Risk',
    summary: 'Risk score of a position',
    description: `0 to 100. The level of the position decides the quarter of the scale, so label and riskLevel never contradict each other. The base score ranks positions within a quarter. It is the larger of a weighted sum of four factors and 100·√ of the probability of liquidation within 30 days. docs/model.md has the formula. ${ON_HISTORY}`,
    path,
    responses: [{ status: 200, description: 'The score.', schema: RiskScoreAnswer }],
    errors: ['not_found'],
  })
  riskScore(
    @CurrentIdentity() { accountId }: Identity,
    @CurrentCaller() caller: Caller,
    @RequestAborted() left: AbortSignal,
    @Param('id') id: string,
  ): Promise<RiskScoreAnswer> {
    return this.scores.score(caller, id, { accountId, left });
  }

  @Post('forecast')
  @HttpCode(200)
  @LimitedConcurrency('simulations')
  @Documented({
    operationId: 'forecastLiquidation',
    tag: 'Risk',
    summary: 'Liquidation prices and times of a position',
    description: `The price of each asset at which the position is liquidated while the other prices stay the same, the distance to it, the median time to liquidation without action, and the time until interest alone causes a liquidation. The times and the probability within 30 days come from the same 5,000 paths of filtered historical simulation over 365 days. They have no trend unless \`drift\` requests one. The body is optional. ${ON_HISTORY}`,
    path,
    responses: [{ status: 200, description: 'The forecast.', schema: ForecastAnswer }],
    errors: ['not_found'],
  })
  forecast(
    @CurrentIdentity() { accountId }: Identity,
    @CurrentCaller() caller: Caller,
    @RequestAborted() left: AbortSignal,
    @Param('id') id: string,
    @Body() body?: ForecastBody,
  ): Promise<ForecastAnswer> {
    return this.forecasts.forecast(caller, id, body?.drift, { accountId, left });
  }

  @Post('deleverage')
  @HttpCode(200)
  @LimitedConcurrency('simulations')
  @Documented({
    operationId: 'planDeleverage',
    tag: 'Risk',
    summary: 'Actions that reach a health factor',
    description:
      'repay_debt repays from other funds. sell_collateral and flash_loan_unwind sell one collateral and repay with what remains after swap fee, slippage and flash-loan premium. A result without these costs would miss the target. Nothing is executed. A target that is already reached needs 0.',
    path,
    responses: [{ status: 200, description: 'The plan.', schema: DeleverageAnswer }],
    errors: ['not_found'],
  })
  deleverage(
    @CurrentCaller() caller: Caller,
    @RequestAborted() left: AbortSignal,
    @Param('id') id: string,
    @Body() body: DeleverageBody,
  ): Promise<DeleverageAnswer> {
    return this.plans.plan(caller, id, body, left);
  }
}
