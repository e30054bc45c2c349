import { Injectable } from '@nestjs/common';
import { priceSymbol } from '@plimsoll/contracts';
import { PlanBuilder } from '@plimsoll/evm';
import { type Run, type Strategy, encodeExecute, executorAbi } from '@plimsoll/executor';
import { type RawLeg, amountOf } from '@plimsoll/protocols';
import type { Caller } from '@plimsoll/service-kit';
import type { Address } from 'viem';
import { repayToTarget } from '../amounts/repay';
import { saleToTarget } from '../amounts/sale';
import { aimHigher } from '../planning/aim-higher';
import {
  type DeleverageRequest,
  type Draft,
  type Plan,
  type PositionScene,
  NO_COSTS,
} from '../planning/plan';
import { PlannerService, refuseReached } from '../planning/planner.service';
import { Refusal, unsupported } from '../planning/refusal';
import { usdOf } from '../planning/usd';
import type { PositionVenue } from '../positions/position-source';
import { KeyStore } from '../signing/key-store';
import { type ActivePolicy, activePolicies } from './policies';

/** A simulated run that reaches its target. */
export interface RunPlan {
  plan: Plan;
  run: Run;
  executor: Address;
}

interface RunAmounts {
  repayRaw: bigint;
  sellRaw: bigint;
  premiumRaw: bigint;
}

/** The executor accepts a run for at most an hour. A run without a block by then is created again. */
const RUN_SECONDS = 1_800n;

/** Creates runs of the executor contract within the wallet's policies. */
@Injectable()
export class RunPlanner {
  constructor(
    private readonly planner: PlannerService,
    private readonly keys: KeyStore,
  ) {}

  /** @throws Refusal; Problem unsupported_execution, not_found, upstream_…; ChainReadError */
  async plan(caller: Caller, place: PositionVenue, request: DeleverageRequest): Promise<RunPlan> {
    const keeper = this.keys.address();
    const scene = await this.planner.sceneOf(place);
    const executor = executorOf(scene);
    if (keeper === null) throw noExecutor(place);
    refuseReached(scene.position, request);
    const policies = await this.policiesOf(scene, request.strategy);
    return aimHigher(request, (aimed) => this.runOf(caller, scene, executor, keeper, aimed, policies));
  }

  private async runOf(
    caller: Caller,
    scene: PositionScene,
    executor: Address,
    keeper: Address,
    request: DeleverageRequest,
    policies: readonly ActivePolicy[],
  ): Promise<RunPlan> {
    const { policy, amounts } = await chooseRun(scene, executor, request, policies);
    const deadlineSeconds = BigInt(Math.floor(request.deadlineMs / 1_000));
    const latest = scene.block.timestamp + RUN_SECONDS;
    const run: Run = {
      policyId: policy.id,
      policyHash: policy.policyHash,
      nonce: policy.nonce,
      strategy: request.strategy,
      repayAmount: amounts.repayRaw,
      sellAmount: amounts.sellRaw,
      deadline: deadlineSeconds < latest ? deadlineSeconds : latest,
      route: '0x',
    };
    const draft = draftOf(scene, executor, policy, amounts, run);
    return { run, executor, plan: await this.planner.proved(caller, scene, request, draft, keeper) };
  }

  /**
   * Returns at least one.
   * @throws Refusal not_authorised; Problem unsupported_execution; ChainReadError
   */
  async policiesOf(scene: PositionScene, strategy: Strategy): Promise<ActivePolicy[]> {
    const executor = executorOf(scene);
    const policies = await activePolicies(scene, executor, strategy);
    if (policies.length === 0) throw notAuthorised(executor, strategy);
    return policies;
  }
}

/**
 * Returns the first policy under which the target can be reached.
 * @throws Refusal why the last one cannot
 */
async function chooseRun(
  scene: PositionScene,
  executor: Address,
  request: DeleverageRequest,
  policies: readonly ActivePolicy[],
): Promise<{ policy: ActivePolicy; amounts: RunAmounts }> {
  let refusal: Refusal | null = null;
  for (const policy of policies) {
    try {
      return { policy, amounts: await amountsOf(scene, executor, request, policy) };
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      refusal = error;
    }
  }
  throw refusal ?? notAuthorised(executor, request.strategy);
}

async function amountsOf(
  scene: PositionScene,
  executor: Address,
  request: DeleverageRequest,
  { id, policy, debt, collateral }: ActivePolicy,
): Promise<RunAmounts> {
  const { position } = scene;
  if (request.strategy === 'repay_debt') {
    const { repays, missing } = repayToTarget(position, request.aimRaw, (leg) =>
      leg === debt ? leg.amountRaw : 0n,
    );
    const [repay] = repays;
    if (missing > 0n || !repay) throw infeasible(debt);
    return { repayRaw: repay.amountRaw, sellRaw: 0n, premiumRaw: 0n };
  }
  if (!collateral || !isWanted(collateral, request)) throw infeasible(debt);
  const flash = request.strategy === 'flash_loan_unwind';
  const premiumBps = flash ? await flashPremiumBps(scene, executor, id, debt) : 0n;
  // One below the policy's limit, because the contract compares the sale with the worse of two prices and
  // rounds.
  const mostBps = BigInt(Math.max(policy.maxSlippageBps - 1, 0));
  const askedBps = BigInt(request.maxSlippageBps);
  const slippageBps = askedBps < mostBps ? askedBps : mostBps;
  const costs = { slippageBps, flashPremiumBps: premiumBps };
  const sale = saleToTarget(position, request.aimRaw, { collateral, debt }, costs);
  if (!sale) throw infeasible(debt);
  const premiumRaw = (sale.repayRaw * premiumBps + 9_999n) / 10_000n;
  return { repayRaw: sale.repayRaw, sellRaw: sale.sellRaw, premiumRaw };
}

function isWanted({ symbol }: RawLeg, { asset }: DeleverageRequest): boolean {
  return asset === null || priceSymbol(symbol) === priceSymbol(asset);
}

/** Returns the lender's present premium, rounded up. */
async function flashPremiumBps(
  { row, chain, block }: PositionScene,
  executor: Address,
  id: ActivePolicy['id'],
  debt: RawLeg,
): Promise<bigint> {
  const plan = new PlanBuilder(row.chainId, 'premium of a flash loan');
  const slot = plan.call(executor, executorAbi, 'flashFee', [id, debt.amountRaw]);
  const fee = await chain.multicall.read(
    plan.build(({ value }) => value(slot)),
    block,
  );
  return (fee * 10_000n + debt.amountRaw - 1n) / debt.amountRaw;
}

function draftOf(
  { position }: PositionScene,
  executor: Address,
  { debt, collateral }: ActivePolicy,
  { repayRaw, sellRaw, premiumRaw }: RunAmounts,
  run: Run,
): Draft {
  const flashPremiumUsd = usdOf(debt, premiumRaw, position);
  const sold = collateral && sellRaw > 0n ? [{ leg: collateral, amountRaw: sellRaw }] : [];
  const soldUsd = sold.reduce((sum, { leg, amountRaw }) => sum + usdOf(leg, amountRaw, position), 0);
  const lostUsd = soldUsd - usdOf(debt, repayRaw, position) - flashPremiumUsd;
  return {
    calls: [
      {
        description: `Repay ${amountOf(debt, repayRaw)}${collateral && sellRaw > 0n ? ` with ${amountOf(collateral, sellRaw)} sold` : ''} through the executor contract`,
        to: executor,
        data: encodeExecute(run),
        value: 0n,
      },
    ],
    repays: [{ leg: debt, amountRaw: repayRaw }],
    sells: sold,
    costs: sold.length === 0 ? NO_COSTS : { feeUsd: 0, slippageUsd: Math.max(0, lostUsd), flashPremiumUsd },
    permit: null,
  };
}

function infeasible({ symbol }: RawLeg): Refusal {
  return new Refusal(
    'infeasible',
    `No run of the policy on ${symbol} reaches the target by this strategy. Choose a lower target.`,
    'targetHealthFactor',
  );
}

/** @throws Problem unsupported_execution */
function executorOf({ chain, row, place }: PositionScene): Address {
  const executor = chain.executorOf(row);
  if (executor === undefined) throw noExecutor(place);
  return executor;
}

function notAuthorised(executor: Address, strategy: Strategy): Refusal {
  return new Refusal(
    'not_authorised',
    `The wallet has no policy on ${executor} that allows ${strategy} for its debt. Write one there first.`,
    'mode',
  );
}

function noExecutor({ protocol, chainId }: PositionVenue): Error {
  return unsupported(
    'mode',
    'no_executor',
    `There is no executor contract for ${protocol} on chain ${chainId}. Use build, and send it yourself.`,
  );
}
