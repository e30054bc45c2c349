import {
  type ActionType,
  CONDITION_VALUE_RANGES,
  type ConditionType,
  type FieldError,
  type Identity,
  Problem,
  type RuleActionBody,
  type RuleConditionBody,
  invalidRequest,
  isPriceCondition,
  priceSymbol,
} from '@plimsoll/contracts';
import { CONDITION_KINDS, type Condition } from '../sources/rule/condition';
import type { DeleverageAction } from '../sources/rule/rule';

/** @throws invalid_request naming conditionType, conditionValue or asset */
export function checkCondition(
  condition: Pick<RuleConditionBody, 'conditionType' | 'conditionValue'> & { asset?: string | undefined },
): ConditionType {
  const { conditionType, conditionValue, asset } = condition;
  const errors: FieldError[] = [];
  const [min, max] = CONDITION_VALUE_RANGES[conditionType];
  if (conditionValue < min || conditionValue > max) {
    const message = `conditionValue of ${conditionType} must be from ${min} to ${max}.`;
    errors.push({ field: 'conditionValue', code: 'out_of_range', message });
  }
  if (isPriceCondition(conditionType) && asset === undefined) {
    const message = `${conditionType} needs the symbol of an asset of the position.`;
    errors.push({ field: 'asset', code: 'required', message });
  }
  if (!isPriceCondition(conditionType) && asset !== undefined) {
    const message = `${conditionType} uses no asset. Remove it.`;
    errors.push({ field: 'asset', code: 'unexpected', message });
  }
  if (errors.length > 0) throw invalidRequest(errors);
  return conditionType;
}

/** A rule's action as the request body states it. */
export interface CheckedAction {
  actionType: ActionType;
  /** Null unless actionType is webhook. */
  webhookId: string | null;
  /** Null unless actionType is deleverage. */
  deleverage: DeleverageAction | null;
}

const DEFAULT_SLIPPAGE_BPS = 50;
const NONE = { webhookId: null, deleverage: null };

/**
 * @throws tier_required, scope_required for deleverage
 * @throws invalid_request naming a field of action
 */
export function checkAction(
  identity: Pick<Identity, 'tier' | 'scopes'>,
  actionType: ActionType,
  action: RuleActionBody | undefined,
): CheckedAction {
  if (actionType === 'deleverage') {
    checkMayExecute(identity);
    return { ...NONE, actionType, deleverage: deleverageOf(action ?? {}) };
  }
  if (actionType === 'webhook') return { ...NONE, actionType, webhookId: webhookIdOf(action ?? {}) };
  if (action === undefined) return { ...NONE, actionType };
  const message = 'The action alert has no further fields. Remove it.';
  throw invalidRequest([{ field: 'action', code: 'unexpected', message }]);
}

/**
 * A rule that executes needs the same tier and scope as a request that executes.
 * @throws tier_required, scope_required
 */
export function checkMayExecute({ tier, scopes }: Pick<Identity, 'tier' | 'scopes'>): void {
  if (tier !== 'enterprise') {
    throw new Problem(
      'tier_required',
      'The action deleverage is part of the enterprise tier. Use alert or webhook, or move to that tier.',
      { requiredTier: 'enterprise' },
    );
  }
  if (!scopes.includes('wallets:write')) {
    throw new Problem(
      'scope_required',
      'The action deleverage moves funds. In addition to alerts:write, it needs a key with the scope wallets:write.',
    );
  }
}

/**
 * If the target left the condition met, the rule would never clear, and never fire again.
 * @param field of the body to change
 * @throws invalid_request
 */
export function checkTarget(
  { conditionType, conditionValue }: Pick<Condition, 'conditionType' | 'conditionValue'>,
  { targetHealthFactor }: Pick<DeleverageAction, 'targetHealthFactor'>,
  field: string,
): void {
  if (conditionType === 'health_factor_above') {
    const message = 'deleverage raises the health factor. Use a condition that fires below a value.';
    throw invalidRequest([{ field: 'actionType', code: 'unexpected', message }]);
  }
  if (conditionType !== 'health_factor_below') return;
  const least = conditionValue + CONDITION_KINDS[conditionType].margin(conditionValue);
  if (targetHealthFactor >= least) return;
  const message = `action.targetHealthFactor must be above conditionValue by 0.02 at least, or the rule never clears.`;
  throw invalidRequest([{ field, code: 'out_of_range', message }]);
}

function webhookIdOf({ webhookId, ...others }: RuleActionBody): string {
  const errors = unexpectedFields('webhook', others);
  if (webhookId !== undefined && errors.length === 0) return webhookId;
  const message = 'The action webhook needs the id of one of your webhook endpoints.';
  if (webhookId === undefined) errors.push({ field: 'action.webhookId', code: 'required', message });
  throw invalidRequest(errors);
}

function deleverageOf({ webhookId, ...action }: RuleActionBody): DeleverageAction {
  const { targetHealthFactor, strategy = 'repay_debt', maxSlippageBps = DEFAULT_SLIPPAGE_BPS } = action;
  const errors = unexpectedFields('deleverage', { webhookId });
  const field = 'action.targetHealthFactor';
  if (targetHealthFactor === undefined)
    errors.push({
      field,
      code: 'required',
      message: 'The action deleverage needs a health factor to reach.',
    });
  else if (targetHealthFactor <= 1)
    errors.push({ field, code: 'out_of_range', message: 'targetHealthFactor must be above 1.' });
  if (targetHealthFactor === undefined || errors.length > 0) throw invalidRequest(errors);
  return { targetHealthFactor, strategy, maxSlippageBps, dryRun: action.dryRun ?? false };
}

function unexpectedFields(actionType: ActionType, fields: object): FieldError[] {
  return Object.entries(fields)
    .filter(([, value]) => value !== undefined)
    .map(([field]) => ({
      field: `action.${field}`,
      code: 'unexpected',
      message: `The action ${actionType} takes no ${field}. Remove it.`,
    }));
}

/**
 * Returns the held asset that a symbol names, in any case.
 * @throws invalid_request when the position does not hold it
 */
export function heldAsset(asked: string, held: readonly string[]): string {
  const wanted = asked.toUpperCase();
  const found =
    held.find((symbol) => symbol.toUpperCase() === wanted) ??
    held.find((symbol) => priceSymbol(symbol) === priceSymbol(asked));
  if (found !== undefined) return found;
  const message = `The position does not hold ${asked}. It holds ${held.join(', ') || 'nothing'}.`;
  throw invalidRequest([{ field: 'asset', code: 'not_held', message }]);
}
