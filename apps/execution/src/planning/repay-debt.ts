import type { RawLeg } from '@plimsoll/protocols';
import { zeroAddress } from 'viem';
import { repayToTarget } from '../amounts/repay';
import { type DeleverageRequest, type Draft, type DraftPermit, NO_COSTS, type PositionScene } from './plan';
import { Refusal } from './refusal';
import { healthFactorNumber, usdOf } from './usd';
import { approvals, readBalances } from './wallet-tokens';

/**
 * Repays from the wallet's balance of the debt asset.
 * @throws Refusal insufficient_balance; ChainReadError
 */
export async function draftRepayDebt(scene: PositionScene, request: DeleverageRequest): Promise<Draft> {
  const { position, actions } = scene;
  const debts = position.legs.filter(({ side, address }) => side === 'debt' && address !== zeroAddress);
  const held = await readBalances(scene, [...new Set(debts.map(({ address }) => address))]);
  const heldOf = ({ address }: RawLeg): bigint => held.get(address) ?? 0n;
  const { repays, missing } = repayToTarget(position, request.aimRaw, heldOf);
  if (missing > 0n) throw tooLittle(scene, request, repays);

  const draft: Draft = { calls: [], repays, sells: [], costs: NO_COSTS, permit: null };
  for (const { leg, amountRaw } of repays) {
    const first = draft.calls.length;
    const spender = { address: actions.spenderOf(leg), name: actions.contractName(leg) };
    draft.calls.push(...(await approvals(scene, leg, spender, amountRaw)));
    const approved = draft.calls.length > first;
    draft.calls.push(...actions.repay(leg, amountRaw));
    // At most one permit, because a second one would need another signature.
    if (approved && repays.length === 1) draft.permit = permitOf(scene, request, draft, leg, amountRaw);
  }
  return draft;
}

function permitOf(
  { actions }: PositionScene,
  { deadlineMs }: DeleverageRequest,
  { calls }: Draft,
  token: RawLeg,
  amountRaw: bigint,
): DraftPermit | null {
  const call = actions.repayWithPermit(token, amountRaw, BigInt(Math.floor(deadlineMs / 1_000)));
  if (!call) return null;
  return {
    call,
    replaces: calls.map((_, index) => index),
    token,
    spender: actions.spenderOf(token),
    amountRaw,
  };
}

function tooLittle(
  { position }: PositionScene,
  { targetHealthFactor }: DeleverageRequest,
  repays: Draft['repays'],
): Refusal {
  const usd = repays.reduce((sum, { leg, amountRaw }) => sum + usdOf(leg, amountRaw, position), 0);
  const now = healthFactorNumber(position.healthFactorRaw) ?? 0;
  return new Refusal(
    'insufficient_balance',
    `The wallet holds ${usd.toFixed(2)} USD of its debt asset, too little to raise the health factor from ${now.toFixed(4)} to ${targetHealthFactor}. Choose a lower target or another strategy.`,
    'targetHealthFactor',
  );
}
