import type { Policy } from '@plimsoll/executor';
import { Refusal } from '../planning/refusal';

/**
 * The executor accepts a run that ends up to this much above the policy's target
 * (contracts/src/ExecutorBase.sol).
 */
const TARGET_TOLERANCE_BPS = 500n;
const BPS = 10_000n;

/** Health factors that a rule would request, as wad. */
export interface RequestedHealthFactors {
  targetRaw: bigint;
  /** The rule fires below it. Null when it has another condition. */
  belowRaw: bigint | null;
}

type Limits = Pick<Policy, 'triggerHealthFactor' | 'targetHealthFactor' | 'minHealthFactorAfter'>;

/**
 * Checks that at least one policy allows the rule's action. Otherwise the executor would refuse every run.
 * @throws Refusal executor_refused, by the limits of the last policy
 */
export function refuseOutsidePolicy(
  policies: readonly { policy: Limits }[],
  { targetRaw, belowRaw }: RequestedHealthFactors,
): void {
  const refusals = policies.map(({ policy }) => refusalBy(policy, targetRaw, belowRaw));
  const last = refusals.at(-1);
  if (last && !refusals.includes(null)) throw last;
}

function refusalBy(policy: Limits, targetRaw: bigint, belowRaw: bigint | null): Refusal | null {
  const highest = (policy.targetHealthFactor * (BPS + TARGET_TOLERANCE_BPS)) / BPS;
  if (targetRaw > highest || targetRaw < policy.minHealthFactorAfter) {
    return new Refusal(
      'executor_refused',
      `The policy on chain permits no run that ends there. It permits ${shown(policy.minHealthFactorAfter)} to ${shown(highest)}.`,
      'targetHealthFactor',
    );
  }
  if (belowRaw === null || belowRaw <= policy.triggerHealthFactor) return null;
  return new Refusal(
    'executor_refused',
    `The policy on chain permits a run only below a health factor of ${shown(policy.triggerHealthFactor)}: the rule would fire above it.`,
    'belowHealthFactor',
  );
}

function shown(wad: bigint): string {
  return (Number(wad) / 1e18).toFixed(4);
}
