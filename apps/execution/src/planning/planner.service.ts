import { Injectable } from '@nestjs/common';
import { notFound } from '@plimsoll/contracts';
import { readGasPrice, readLatestHead } from '@plimsoll/evm';
import { refusalOf } from '@plimsoll/executor';
import { type RawPosition, familyOf } from '@plimsoll/protocols';
import { Clock } from '@plimsoll/service-kit';
import type { Caller } from '@plimsoll/service-kit';
import type { Address } from 'viem';
import { agrees } from '../amounts/position';
import { type ExecutionChain, ChainsService } from '../chains/chains.service';
import { SimulatedChain } from '../chains/simulated-chain';
import { ExecutionConfig } from '../config';
import { readPosition } from '../positions/position-reading';
import type { PositionVenue } from '../positions/position-source';
import type { SimulatedCall } from '../simulation/simulated-call';
import { TargetMissed, aimHigher } from './aim-higher';
import type { DeleverageRequest, Draft, Plan, PositionScene } from './plan';
import { type GasPrice, planFees } from './plan-fees';
import { PriceCheck } from './price-check';
import { Refusal, unsupported } from './refusal';
import { draftRepayDebt } from './repay-debt';
import { draftSellCollateral } from './sell-collateral';
import { healthFactorNumber } from './usd';

/** Errors that any contract may revert with. */
const SOLIDITY_ERRORS = new Set(['Error', 'Panic']);
/** How far the simulated health factor may be above the target. */
const TARGET_TOLERANCE_BPS = 10n;

/** Creates plans for a wallet on the newest block, and refuses those that miss the target. */
@Injectable()
export class PlannerService {
  constructor(
    private readonly chains: ChainsService,
    private readonly prices: PriceCheck,
    private readonly config: ExecutionConfig,
    private readonly clock: Clock,
  ) {}

  /** @throws Refusal; Problem unsupported_execution, not_found, upstream_…; ChainReadError */
  async plan(caller: Caller, place: PositionVenue, request: DeleverageRequest): Promise<Plan> {
    const scene = await this.sceneOf(place);
    refuseReached(scene.position, request);
    return aimHigher(request, async (aimed) =>
      this.proved(caller, scene, aimed, await draftOf(scene, aimed), place.wallet),
    );
  }

  /**
   * Simulates the calls of a draft from `sender`. The resulting position is at the target, and the protocol's
   * prices agree with the service's.
   * @throws Refusal; Problem upstream_…; ChainReadError
   */
  async proved(
    caller: Caller,
    scene: PositionScene,
    request: DeleverageRequest,
    draft: Draft,
    sender: Address,
  ): Promise<Plan> {
    const moved = [...draft.repays, ...draft.sells].map(({ leg }) => leg);
    await this.prices.check(caller, scene.position, moved);
    const [plan, gasPrice] = await Promise.all([
      simulated(scene, request, draft, sender),
      this.gasPrice(caller, scene),
    ]);
    return { ...plan, fees: planFees(plan.gas, plan.costs, gasPrice) };
  }

  private async gasPrice(caller: Caller, { chain }: PositionScene): Promise<GasPrice> {
    const { client, nativeCurrency } = chain;
    const [gasPriceWei, nativePriceUsd] = await Promise.all([
      readGasPrice(client),
      this.prices.freshPriceUsd(caller, nativeCurrency),
    ]);
    return { gasPriceWei, nativeCurrency, nativePriceUsd };
  }

  /**
   * Returns the position on the newest block.
   * @throws Refusal stale_block; Problem unsupported_execution, not_found
   */
  async sceneOf(place: PositionVenue): Promise<PositionScene> {
    const { chain, row, family } = this.whereOf(place);
    const block = await readLatestHead(chain.client);
    const ageSeconds = this.clock.now() / 1_000 - Number(block.timestamp);
    if (ageSeconds > this.config.MAX_BLOCK_AGE_SECONDS) {
      throw new Refusal(
        'stale_block',
        `The newest block of chain ${place.chainId} is ${Math.round(ageSeconds)} s old. Try again when the chain has new blocks.`,
      );
    }
    const position = await readPosition(chain, row, place, { client: chain.client, block });
    const { multicall } = chain;
    const protocolName = chain.protocolName(row);
    const actions = await family.actionsOf({ row, multicall, block, position, protocolName });
    return { place, chain, row, block, position, actions };
  }

  private whereOf({ chainId, protocol, market }: PositionVenue) {
    const chain = this.chains.find(chainId);
    if (!chain) {
      throw unsupported(
        'positionId',
        'chain_not_executable',
        `Executions are not available on chain ${chainId}.`,
      );
    }
    const row = chain.row(protocol, market);
    if (!row) throw notFound('position');
    const family = familyOf(row)?.execution;
    if (!family) {
      throw unsupported(
        'positionId',
        'protocol_not_executable',
        `Executions are not available on ${protocol}.`,
      );
    }
    return { chain, row, family };
  }
}

export function refuseReached({ healthFactorRaw }: RawPosition, { targetRaw }: DeleverageRequest): void {
  if (healthFactorRaw === null)
    throw new Refusal('no_debt', 'The position has no debt: there is nothing to repay.');
  if (healthFactorRaw < targetRaw) return;
  const now = healthFactorNumber(healthFactorRaw) ?? 0;
  throw new Refusal(
    'target_reached',
    `The health factor is ${now.toFixed(4)} already. Choose a higher target.`,
    'targetHealthFactor',
  );
}

async function draftOf(scene: PositionScene, request: DeleverageRequest): Promise<Draft> {
  switch (request.strategy) {
    case 'repay_debt':
      return draftRepayDebt(scene, request);
    case 'sell_collateral':
      return draftSellCollateral(scene, request, venueOf(scene.chain));
    case 'flash_loan_unwind':
      throw unsupported(
        'strategy',
        'needs_executor',
        'A wallet cannot take a flash loan by itself. Use sell_collateral or repay_debt.',
      );
  }
}

function venueOf({ venue, client }: ExecutionChain) {
  if (venue) return venue;
  throw unsupported(
    'strategy',
    'no_swap_venue',
    `Swaps are not available on chain ${client.chainId}. Use repay_debt.`,
  );
}

/**
 * Runs the draft on the block.
 * @throws Refusal simulation_reverted, target_missed
 */
async function simulated(
  scene: PositionScene,
  request: DeleverageRequest,
  draft: Draft,
  sender: Address,
): Promise<Omit<Plan, 'fees'>> {
  const { chain, block, place, row } = scene;
  const after = new SimulatedChain(chain.client, block, sender, draft.calls);
  const results = await after.run();
  refuseReverted(draft, results);
  const position = await readPosition(chain, row, place, { client: after, block: after.block });
  const reached = position.healthFactorRaw;
  if (reached !== null && !isAtTarget(reached, request.targetRaw)) {
    const found = healthFactorNumber(reached) ?? 0;
    throw new TargetMissed(
      `The simulation ends at a health factor of ${found.toFixed(6)}, not ${request.targetHealthFactor}. Nothing was built.`,
      request.targetRaw - reached,
    );
  }
  return { ...draft, scene, gas: results.map(({ gasUsed }) => gasUsed), after: position };
}

function isAtTarget(reached: bigint, targetRaw: bigint): boolean {
  return reached >= targetRaw && agrees(reached, targetRaw, TARGET_TOLERANCE_BPS);
}

function refuseReverted({ calls }: Draft, results: readonly SimulatedCall[]): void {
  const at = results.findIndex(({ success }) => !success);
  if (at === -1) return;
  const refusal = refusalOf(results[at]!.data);
  if (refusal && !SOLIDITY_ERRORS.has(refusal.name)) {
    throw new Refusal(
      'executor_refused',
      `The executor contract refuses with ${refusal.name}: see the policy on chain.`,
    );
  }
  throw new Refusal(
    'simulation_reverted',
    `“${calls[at]?.description}” reverts on the newest block: the protocol does not allow it now.`,
  );
}
