import { type AlertRemedy, type RemediesReason, checksumAddress } from '@plimsoll/contracts';
import {
  type RawCollateral,
  type RawLeg,
  type RawPosition,
  type RemedyAction,
  remedyAmount,
} from '@plimsoll/risk-math';
import type { ContractFigures, StoredLeg } from './contract-figures';

const WAD = 10n ** 18n;

/** Protocols keep shares of a pool and round on the way from an amount to them: so many raw units can get lost. */
const LOST_TO_SHARES = 2n;

interface Leg {
  stored: StoredLeg;
  raw: RawCollateral | RawLeg;
}

const rawLeg = ({ amountRaw, decimals, priceRaw, priceDecimals }: StoredLeg): RawLeg => ({
  amountRaw: BigInt(amountRaw),
  decimals,
  priceRaw: BigInt(priceRaw),
  priceDecimals,
});

/**
 * What restores a health factor: one way for each debt that suffices alone, and for each collateral. Repayments come
 * first, each kind from the smallest value to the largest.
 */
export function remediesOf(
  { legs, healthFactorRaw, baseDecimals }: ContractFigures,
  targetHealthFactor: number,
): { remedies: AlertRemedy[]; remediesReason: RemediesReason | null } {
  const debts = legs.filter(({ side }) => side === 'debt').map((stored) => ({ stored, raw: rawLeg(stored) }));
  const collaterals = legs
    .filter(({ thresholdBps }) => thresholdBps > 0)
    .map((stored) => ({ stored, raw: { ...rawLeg(stored), liquidationThresholdBps: stored.thresholdBps } }));
  const none = (remediesReason: RemediesReason) => ({ remedies: [], remediesReason });
  if (debts.length === 0 || healthFactorRaw === null) return none('no_debt');
  const target = wad(targetHealthFactor);
  if (BigInt(healthFactorRaw) >= target) return none('target_reached');
  if ([...debts, ...collaterals].some(({ raw }) => raw.priceRaw === 0n)) return none('unpriced');
  const position: RawPosition = {
    collateral: collaterals.map(({ raw }) => raw),
    debt: debts.map(({ raw }) => raw),
    healthFactorRaw: BigInt(healthFactorRaw),
    baseDecimals,
  };
  const ways = (action: RemedyAction, of: readonly Leg[]): AlertRemedy[] =>
    of.flatMap((leg) => remedyOf(position, action, leg, target) ?? []).sort((a, b) => a.usd - b.usd);
  const remedies = [...ways('repay', debts), ...ways('add_collateral', collaterals)];
  return remedies.length > 0 ? { remedies, remediesReason: null } : none('none_suffices');
}

function remedyOf(
  position: RawPosition,
  action: RemedyAction,
  { stored, raw }: Leg,
  target: bigint,
): AlertRemedy | null {
  const found = remedyAmount(position, action, raw, target);
  if (found === null) return null;
  const { asset, address, decimals, priceUsd } = stored;
  const spare = found.amountRaw + LOST_TO_SHARES;
  const amountRaw = action === 'repay' && spare > raw.amountRaw ? raw.amountRaw : spare;
  const amount = Number(amountRaw) / 10 ** decimals;
  return {
    action,
    asset,
    address: checksumAddress(address),
    amountRaw: amountRaw.toString(),
    decimals,
    amount,
    usd: amount * priceUsd,
  };
}

/** To a millionth: a target is a figure of people. */
function wad(target: number): bigint {
  return (BigInt(Math.round(target * 1e6)) * WAD) / 1_000_000n;
}
