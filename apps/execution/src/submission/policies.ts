import { PlanBuilder } from '@plimsoll/evm';
import { type Policy, type Strategy, executorAbi, policyIdOf, strategiesOf } from '@plimsoll/executor';
import type { RawLeg } from '@plimsoll/protocols';
import { type Address, type Hex, zeroAddress, zeroHash } from 'viem';
import type { PositionScene } from '../planning/plan';

/** A policy of the wallet on chain that allows a strategy, with its legs. */
export interface ActivePolicy {
  id: Hex;
  policyHash: Hex;
  /** Number of runs so far, which is the number of the next one. */
  nonce: bigint;
  policy: Policy;
  debt: RawLeg;
  /** Null when the policy names no collateral. */
  collateral: RawLeg | null;
}

/**
 * Returns the wallet's policies on the executor for this position and strategy.
 * @throws ChainReadError
 */
export async function activePolicies(
  scene: PositionScene,
  executor: Address,
  strategy: Strategy,
): Promise<ActivePolicy[]> {
  const { row, chain, block, place, actions } = scene;
  const subjects = pairsOf(scene).map(({ debt, collateral }) => {
    const subject = {
      market: actions.policyMarket?.contract ?? actions.spenderOf(debt),
      marketId: actions.policyMarket?.id ?? zeroHash,
      collateral: collateral?.address ?? zeroAddress,
      debt: debt.address,
    };
    return { debt, collateral, id: policyIdOf(place.wallet, subject) };
  });
  const plan = new PlanBuilder(row.chainId, 'policies of the wallet');
  const slots = subjects.map(({ id }) => ({
    state: plan.call(executor, executorAbi, 'stateOf', [id]),
    policy: plan.call(executor, executorAbi, 'policyOf', [id]),
  }));
  const read = await chain.multicall.read(
    plan.build(({ value }) =>
      slots.map(({ state, policy }) => ({ state: value(state), policy: value(policy) })),
    ),
    block,
  );
  return subjects.flatMap(({ id, debt, collateral }, index) => {
    const { state, policy } = read[index]!;
    const isAllowed = state.active && strategiesOf(policy.strategies).includes(strategy);
    if (!isAllowed || policy.expiresAt <= block.timestamp) return [];
    return [{ id, policyHash: state.policyHash, nonce: state.runs, policy, debt, collateral }];
  });
}

/** Returns every debt with every collateral, and without one. */
function pairsOf({ position }: PositionScene): { debt: RawLeg; collateral: RawLeg | null }[] {
  const debts = position.legs.filter(({ side, address }) => side === 'debt' && address !== zeroAddress);
  const held = position.legs.filter((leg) => leg.side === 'collateral' && leg.usedAsCollateral);
  return debts.flatMap((debt) => [null, ...held].map((collateral) => ({ debt, collateral })));
}
