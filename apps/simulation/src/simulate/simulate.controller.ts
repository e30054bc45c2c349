import { Body, Controller, Get, HttpCode, Post } from '@nestjs/common';
import {
  type Identity,
  type MonteCarloAnswer,
  MonteCarloBody,
  type StressScenarioList,
  type StressTestAnswer,
  StressTestBody,
  type WhatIfAnswer,
  WhatIfBody,
} from '@plimsoll/contracts';
import {
  type Caller,
  RequestAborted,
  CurrentCaller,
  CurrentIdentity,
  LimitedConcurrency,
} from '@plimsoll/service-kit';
import { STRESSES } from '../stress/stress';
import { StressTestService } from '../stress/stress-test.service';
import { MonteCarloService } from './monte-carlo.service';
import { WhatIfService } from './what-if.service';

@Controller('v1/simulate')
export class SimulateController {
  constructor(
    private readonly whatIfs: WhatIfService,
    private readonly monteCarlos: MonteCarloService,
    private readonly stressTests: StressTestService,
  ) {}

  @Post('what-if')
  @HttpCode(200)
  @LimitedConcurrency('simulations')
  whatIf(
    @CurrentCaller() caller: Caller,
    @RequestAborted() left: AbortSignal,
    @Body() body: WhatIfBody,
  ): Promise<WhatIfAnswer> {
    return this.whatIfs.request(caller, body, left);
  }

  @Post('monte-carlo')
  @HttpCode(200)
  @LimitedConcurrency('simulations')
  monteCarlo(
    @CurrentIdentity() { tier }: Identity,
    @CurrentCaller() caller: Caller,
    @RequestAborted() left: AbortSignal,
    @Body() body: MonteCarloBody,
  ): Promise<MonteCarloAnswer> {
    return this.monteCarlos.simulate(tier, caller, body, left);
  }

  @Post('stress-test')
  @HttpCode(200)
  @LimitedConcurrency('simulations')
  stressTest(
    @CurrentCaller() caller: Caller,
    @RequestAborted() left: AbortSignal,
    @Body() body: StressTestBody,
  ): Promise<StressTestAnswer> {
    return this.stressTests.test(caller, body, left);
  }

  @Get('scenarios')
  scenarios(): StressScenarioList {
    const scenarios = [...STRESSES.values()].map(({ scenario }) => scenario);
    return { scenarios, count: scenarios.length };
  }
}
