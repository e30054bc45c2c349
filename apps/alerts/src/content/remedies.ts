import { type AlertRemedy, type RemediesReason, checksumAddress } from '@plimsoll/contracts';
import {
  type RawCollateral,
  type RawLeg,
  type RawPosition,
  type RemedyAction,
  remedyAmount,
} from '@plimsoll/risk-math';
import type { ContractFigures, StoredLeg } from '../positions/holdings';

const WAD = 10n ** 18n;

/** Protocols store shares of a pool and round amounts to them. This many raw units can be lost. */
const LOST_TO_SHARES = 2n;
/**
 * Compound v2 and its forks store supplies in shares of eight decimals. Each is worth up to two units of the
 * eighth decimal.
 */
const COARSE_SHARES: ReadonlySet<string> = new Set(['compound-v2', 'venus', 'moonwell', 'benqi']);
const SHARE_DECIMALS = 8;
/**
 * Protocols whose health factor is rounded as in Aave v3. The figure of another protocol can have the same
 * digits by accident. Its amounts then need the margin of a rounding that is not modelled.
 */
const ROUNDED_AS_AAVE: ReadonlySet<string> = new Set(['aave-v3', 'spark', 'hyperlend']);

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
 * Returns the actions that restore a health factor: one for each debt that suffices alone, and one for each
 * collateral. Repayments come first, each kind from the smallest value to the largest.
 */
export function remediesOf(
  { legs, healthFactorRaw, baseDecimals }: ContractFigures,
  targetHealthFactor: number,
  protocol: string,
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
    baseDecimals: ROUNDED_AS_AAVE.has(protocol) ? baseDecimals : null,
  };
  const ways = (action: RemedyAction, of: readonly Leg[]): AlertRemedy[] =>
    of
      .flatMap((leg) => remedyOf(position, action, leg, target, protocol) ?? [])
      .sort((a, b) => a.usd - b.usd);
  const remedies = [...ways('repay', debts), ...ways('add_collateral', collaterals)];
  return remedies.length > 0 ? { remedies, remediesReason: null } : none('none_suffices');
}

function remedyOf(
  position: RawPosition,
  action: RemedyAction,
  { stored, raw }: Leg,
  target: bigint,
  protocol: string,
): AlertRemedy | null {
  const found = remedyAmount(position, action, raw, target);
  if (found === null) return null;
  const { asset, address, decimals, priceUsd } = stored;
  const spare = found.amountRaw + lostToShares(protocol, action, decimals);
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

function lostToShares(protocol: string, action: RemedyAction, decimals: number): bigint {
  if (action === 'repay' || !COARSE_SHARES.has(protocol)) return LOST_TO_SHARES;
  return LOST_TO_SHARES * 10n ** BigInt(Math.max(0, decimals - SHARE_DECIMALS));
}

/** Rounds to a millionth, because people set targets. */
function wad(target: number): bigint {
  return (BigInt(Math.round(target * 1e6)) * WAD) / 1_000_000n;
}
