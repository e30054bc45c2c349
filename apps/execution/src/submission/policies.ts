import { type MarketRow, PlanBuilder, type RawLeg, readCall } from '@plimsoll/chain';
import { type Policy, type Strategy, executorAbi, policyIdOf, strategiesOf } from '@plimsoll/executor';
import { type Address, type Hex, isHex, zeroAddress, zeroHash } from 'viem';
import { contractOf } from '../families/contract-of';
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
  const { row, chain, block, place } = scene;
  const subjects = pairsOf(scene).map(({ debt, collateral }) => {
    const subject = {
      market: policyMarket(scene, debt),
      marketId: marketIdOf(row, place.subId),
      collateral: collateral?.address ?? zeroAddress,
      debt: debt.address,
    };
    return { debt, collateral, id: policyIdOf(place.wallet, subject) };
  });
  const plan = new PlanBuilder(row.chainId, 'policies of the wallet');
  const slots = subjects.map(({ id }) => ({
    state: plan.add(readCall(executor, executorAbi, 'stateOf', [id])),
    policy: plan.add(readCall(executor, executorAbi, 'policyOf', [id])),
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

/**
 * Returns the market of a policy: the contract of the protocol, which for Compound v2 and Venus is the
 * comptroller.
 */
function policyMarket({ row, actions }: PositionScene, debt: RawLeg): Address {
  const isCompound = ['compound-v2', 'venus-core', 'venus-isolated'].includes(row.family);
  return isCompound ? contractOf(row, 'comptroller') : actions.spenderOf(debt);
}

function marketIdOf({ family }: MarketRow, subId: string | undefined): Hex {
  return family === 'morpho-blue' && isHex(subId) ? subId : zeroHash;
}
