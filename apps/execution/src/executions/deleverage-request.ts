import { type ExecuteDeleverageBody, type FieldError, invalidRequest } from '@plimsoll/contracts';
import { toWad, withHeadroom } from '../amounts/position';
import type { DeleverageRequest } from '../planning/plan';

const DEFAULT_DEADLINE_MS = 600_000;
const LATEST_DEADLINE_MS = 86_400_000;
const DEFAULT_SLIPPAGE_BPS = 50;

/**
 * Parses a body.
 * @throws invalid_request with every field that contradicts another, or the time
 */
export function deleverageRequest(body: ExecuteDeleverageBody, nowMs: number): DeleverageRequest {
  const { targetHealthFactor, strategy = 'repay_debt', asset, maxSlippageBps = DEFAULT_SLIPPAGE_BPS } = body;
  const deadlineMs = body.deadline === undefined ? nowMs + DEFAULT_DEADLINE_MS : Date.parse(body.deadline);
  const errors: FieldError[] = [];
  if (targetHealthFactor <= 1) {
    const message = 'targetHealthFactor must be above 1: at 1 the position is on the edge.';
    errors.push({ field: 'targetHealthFactor', code: 'out_of_range', message });
  }
  if (asset !== undefined && strategy === 'repay_debt')
    errors.push(unexpected('asset', 'repay_debt sells nothing.'));
  if (body.mode !== 'submit') {
    if (body.dryRun !== undefined) errors.push(unexpected('dryRun', `${body.mode} sends nothing.`));
    if (body.walletSignature !== undefined)
      errors.push(unexpected('walletSignature', `${body.mode} sends nothing.`));
  }
  if (deadlineMs <= nowMs || deadlineMs > nowMs + LATEST_DEADLINE_MS) {
    const message = 'The deadline must be in the future, and within 24 hours.';
    errors.push({ field: 'deadline', code: 'out_of_range', message });
  }
  if (errors.length > 0) throw invalidRequest(errors);
  const targetRaw = toWad(targetHealthFactor);
  const aimRaw = withHeadroom(targetRaw);
  return {
    strategy,
    targetHealthFactor,
    targetRaw,
    aimRaw,
    maxSlippageBps,
    asset: asset ?? null,
    deadlineMs,
  };
}

function unexpected(field: string, why: string): FieldError {
  return { field, code: 'unexpected', message: `${why} Remove it.` };
}
