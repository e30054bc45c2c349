import { Injectable } from '@nestjs/common';
import { TIER_LIMITS } from '@plimsoll/access';
import {
  type NotSimulatedPosition,
  type PortfolioSimulation,
  type PositionDetail,
  type PositionList,
  Problem,
  RISK_THRESHOLDS,
  type SimulatePortfolioBody,
  type SimulatedPortfolioPosition,
  TIERS,
  type Tier,
  invalidRequest,
  parseAddress,
} from '@plimsoll/contracts';
import type { Caller } from '@plimsoll/service-kit';
import type { Requester } from '../pool/pending-job';
import { positionBasis } from '../position/position-basis';
import { PositionSource } from '../position/position-source';
import { StressTestService, stressesOf } from '../stress/stress-test.service';
import { totalsOf } from './portfolio-totals';
import { PortfolioTurns } from './portfolio-turns';
import { WhatIfService, priceSymbolsOf, requireHeld, scenarioText } from './what-if.service';

/** What-if and stress test of every position of a portfolio. */
@Injectable()
export class PortfolioSimulationService {
  constructor(
    private readonly positions: PositionSource,
    private readonly whatIfs: WhatIfService,
    private readonly stressTests: StressTestService,
    private readonly turns: PortfolioTurns,
  ) {}

  async simulate(
    tier: Tier,
    caller: Caller,
    body: SimulatePortfolioBody,
    { accountId, left }: Requester,
  ): Promise<PortfolioSimulation> {
    const { scenarios = [], stressScenarios = [], walletGroupId } = body;
    const wallets = walletsOf(body);
    if (scenarios.length + stressScenarios.length === 0) throw invalidRequest([NO_SCENARIO]);
    const stresses = stressesOf(stressScenarios, 'stressScenarios');
    const pages = await this.positions.list(caller, wallets, left, walletGroupId);
    const details = detailsOf(pages);
    const priced = details.filter(isPriced);
    if (priced.length > 0)
      requireHeld(scenarios, [...new Set(priced.flatMap(priceSymbolsOf))], 'The portfolio');
    const each = stresses.length + (scenarios.length > 0 ? scenarios.length + 1 : 0);
    refuseAboveCap(tier, priced.length, each);

    const rows: SimulatedPortfolioPosition[] = [];
    for (const detail of priced) {
      left.throwIfAborted();
      rows.push(
        await this.turns.run(accountId, each, () => ({
          ...rowBasis(detail),
          ...(scenarios.length > 0 && { whatIf: this.whatIfs.of(detail, scenarios) }),
          ...(stresses.length > 0 && { stress: this.stressTests.of(detail, stresses) }),
        })),
      );
    }
    const { asOfBlock, blockHash } = pages[0]!;
    const unread = pages.flatMap(({ unreadable }) => unreadable);
    return {
      positions: rows,
      totals: totalsOf(
        rows,
        priced.reduce((sum, { netWorthUsd }) => sum + netWorthUsd, 0),
        { whatIf: scenarios.map(scenarioText), stress: stressScenarios },
      ),
      notSimulated: details.filter((detail) => !isPriced(detail)).map(notSimulated),
      unreadable: [...new Map(unread.map((part) => [JSON.stringify(part), part])).values()],
      riskThresholds: RISK_THRESHOLDS,
      asOfBlock,
      blockHash,
    };
  }
}

const NO_SCENARIO = {
  field: 'scenarios',
  code: 'required',
  message: 'Send scenarios, stressScenarios or both.',
};

/** Comma-separated. Undefined: those that the account watches. */
function walletsOf({ wallets, walletGroupId }: SimulatePortfolioBody): string | undefined {
  if (wallets === undefined) return undefined;
  const message = 'Name either wallets or walletGroupId.';
  if (walletGroupId !== undefined)
    throw invalidRequest([{ field: 'walletGroupId', code: 'unexpected', message }]);
  return wallets.map((text, at) => parseAddress(text, `wallets[${at}]`)).join(',');
}

/** Each once: a block between two pages may move a position from one to the other. */
function detailsOf(pages: readonly PositionList[]): PositionDetail[] {
  const details = pages.flatMap(({ positions, asOfBlock, blockHash }) =>
    positions.map((position) => ({ ...position, asOfBlock, blockHash }) as PositionDetail),
  );
  return [...new Map(details.map((detail) => [detail.id, detail])).values()];
}

const isPriced = ({ collateralAssets, debtAssets }: PositionDetail): boolean =>
  [...collateralAssets, ...debtAssets].every(({ amount, usdValue }) => amount === 0 || usdValue > 0);

function rowBasis(detail: PositionDetail) {
  const { positionId, currentHealthFactor, priceTime, block } = positionBasis(detail);
  const { protocol, chainId, wallet } = detail;
  const basis = { positionId, protocol, chainId, wallet, currentHealthFactor, priceTime };
  return block === undefined ? basis : { ...basis, block };
}

const notSimulated = ({ id, protocol, chainId, wallet }: PositionDetail): NotSimulatedPosition => ({
  positionId: id,
  protocol,
  chainId,
  wallet,
  reason: 'no_price',
});

/** @throws tier_limit_exceeded naming the cap and the tier with a higher one. Results are never left out */
function refuseAboveCap(tier: Tier, positions: number, each: number): void {
  const [results, cap] = [positions * each, TIER_LIMITS[tier].portfolioResults];
  if (results <= cap) return;
  const lifting = TIERS.find((other) => TIER_LIMITS[other].portfolioResults >= results);
  const fewer = 'Send fewer scenarios, or name some of the wallets';
  const remedy = lifting
    ? `${fewer}, or move to the ${lifting} tier, which takes ${TIER_LIMITS[lifting].portfolioResults}.`
    : `${fewer}.`;
  throw new Problem(
    'tier_limit_exceeded',
    `${positions} positions with ${each} results each are ${results} results; one request accepts ${cap} on the ${tier} tier. ${remedy}`,
    {
      errors: [{ field: 'scenarios', code: 'tier_limit_exceeded', message: remedy }],
      ...(lifting && { requiredTier: lifting }),
    },
  );
}
