import { Body, Controller, Get, HttpCode, Post } from '@nestjs/common';
import {
  type Identity,
  MonteCarloAnswer,
  MonteCarloBody,
  PortfolioSimulation,
  SimulatePortfolioBody,
  StressScenarioList,
  StressTestAnswer,
  StressTestBody,
  WhatIfAnswer,
  WhatIfBody,
} from '@plimsoll/contracts';
import { Documented } from '@plimsoll/openapi';
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
import { PortfolioSimulationService } from './portfolio-simulation.service';
import { WhatIfService } from './what-if.service';

const ON_HISTORY =
  'While the price history of an asset is unavailable, the response is a 503 that names it. The service never invents prices.';

const AT_ONCE =
  'An account runs at most 4 simulations at the same time (enterprise 16). More wait up to 5 s and then receive 503.';

const LOSSES =
  'estimatedLoss is the owner’s loss: the fall of the market and, after a liquidation, the penalty and the slippage of the sale, at most the net worth before. lossSplit has the parts, and the bad debt of the protocol. assumptions states their basis.';

@Controller('v1/simulate')
export class SimulateController {
  constructor(
    private readonly whatIfs: WhatIfService,
    private readonly monteCarlos: MonteCarloService,
    private readonly stressTests: StressTestService,
    private readonly portfolios: PortfolioSimulationService,
  ) {}

  @Post('what-if')
  @HttpCode(200)
  @LimitedConcurrency('simulations')
  @Documented({
    operationId: 'simulateWhatIf',
    tag: 'Simulations',
    summary: 'A position at other prices',
    description: `Each scenario is applied separately, and all of them together under \`combined\`. A price change affects supplied and owed amounts. ETH and WETH have one price, and BTC and WBTC have one price. A staking token moves with its underlying asset at the same ratio, unless the list names it too. For Aave v3 the health factor is the contract's own value, to the last digit. An asset that the position does not have is a 400. ${LOSSES} ${AT_ONCE}`,
    responses: [{ status: 200, description: 'The position after each change.', schema: WhatIfAnswer }],
    errors: ['not_found'],
  })
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
  @Documented({
    operationId: 'simulateMonteCarlo',
    tag: 'Simulations',
    summary: 'Probability of liquidation',
    description: `The probability that the health factor falls below 1 at any time within the horizon, and its distribution at the horizon. \`fhs\` draws days of the past year for all assets together and scales them to today's volatility. \`gbm\` uses log-normal prices and continuous monitoring. docs/model.md compares both with history. Iterations above the cap of the tier are 400 tier_limit_exceeded. With \`changes\` the figures describe the position after a repayment or a deposit, on the same paths. With \`receipt\`, the response has a signed receipt that GET /v1/receipts/:hash returns for 90 days; it is a 400 for a position without debt, because no simulation runs. ${ON_HISTORY} The simulation stops when the client disconnects. ${AT_ONCE}`,
    responses: [{ status: 200, description: 'The probability and its basis.', schema: MonteCarloAnswer }],
    errors: ['not_found', 'tier_limit_exceeded'],
  })
  monteCarlo(
    @CurrentIdentity() { tier, accountId }: Identity,
    @CurrentCaller() caller: Caller,
    @RequestAborted() left: AbortSignal,
    @Body() body: MonteCarloBody,
  ): Promise<MonteCarloAnswer> {
    return this.monteCarlos.simulate(tier, caller, body, { accountId, left });
  }

  @Post('stress-test')
  @HttpCode(200)
  @LimitedConcurrency('simulations')
  @Documented({
    operationId: 'simulateStressTest',
    tag: 'Simulations',
    summary: 'A position under past falls',
    description: `The position under scenarios of GET /v1/simulate/scenarios, each applied separately. ${LOSSES} ${AT_ONCE}`,
    responses: [{ status: 200, description: 'The position under each scenario.', schema: StressTestAnswer }],
    errors: ['not_found', 'unsupported_scenario'],
  })
  stressTest(
    @CurrentCaller() caller: Caller,
    @RequestAborted() left: AbortSignal,
    @Body() body: StressTestBody,
  ): Promise<StressTestAnswer> {
    return this.stressTests.test(caller, body, left);
  }

  @Post('portfolio')
  @HttpCode(200)
  @LimitedConcurrency('simulations')
  @Documented({
    operationId: 'simulatePortfolio',
    tag: 'Simulations',
    summary: 'All positions at other prices',
    description: `The what-if and the stress test of every position of the watched wallets, of a wallet group or of the named wallets, with sums. Each position has the figures of POST /v1/simulate/what-if and POST /v1/simulate/stress-test, as if it were liquidated alone. An asset that no position has is a 400. Positions without a price are in \`notSimulated\`, and parts that could not be read in \`unreadable\`; neither is in the sums. Positions times results above the cap of the tier are 400 tier_limit_exceeded. ${AT_ONCE}`,
    responses: [{ status: 200, description: 'Each position, and the sums.', schema: PortfolioSimulation }],
    errors: ['tier_limit_exceeded', 'unsupported_scenario'],
  })
  portfolio(
    @CurrentIdentity() { tier, accountId }: Identity,
    @CurrentCaller() caller: Caller,
    @RequestAborted() left: AbortSignal,
    @Body() body: SimulatePortfolioBody,
  ): Promise<PortfolioSimulation> {
    return this.portfolios.simulate(tier, caller, body, { accountId, left });
  }

  @Get('scenarios')
  @Documented({
    operationId: 'listScenarios',
    tag: 'Simulations',
    summary: 'Stress scenarios',
    description: 'Every scenario of the stress test, with its price changes.',
    responses: [{ status: 200, description: 'The scenarios.', schema: StressScenarioList }],
  })
  scenarios(): StressScenarioList {
    const scenarios = [...STRESSES.values()].map(({ scenario }) => scenario);
    return { scenarios, count: scenarios.length };
  }
}
