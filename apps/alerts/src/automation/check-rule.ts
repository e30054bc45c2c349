import {
  type ActionType,
  type ConditionType,
  type FieldError,
  type Identity,
  Problem,
  type RuleActionBody,
  type RuleConditionBody,
  invalidRequest,
} from '@plimsoll/contracts';
import { CONDITION_KINDS, type AvailableConditionType, isAvailable, isPriceCondition } from './condition';
import type { AvailableActionType } from './rule';

/** @throws invalid_request naming conditionType, conditionValue or asset */
export function checkCondition(
  condition: Pick<RuleConditionBody, 'conditionType' | 'conditionValue'> & { asset?: string | undefined },
): AvailableConditionType {
  const { conditionType, conditionValue, asset } = condition;
  if (!isAvailable(conditionType)) throw invalidRequest([notAvailable(conditionType)]);
  const errors: FieldError[] = [];
  const [min, max] = CONDITION_KINDS[conditionType].range;
  if (conditionValue < min || conditionValue > max) {
    const message = `conditionValue of ${conditionType} must be from ${min} to ${max}.`;
    errors.push({ field: 'conditionValue', code: 'out_of_range', message });
  }
  if (isPriceCondition(conditionType) && asset === undefined) {
    const message = `${conditionType} needs the symbol of an asset of the position.`;
    errors.push({ field: 'asset', code: 'required', message });
  }
  if (!isPriceCondition(conditionType) && asset !== undefined) {
    const message = `${conditionType} looks at no asset. Remove it.`;
    errors.push({ field: 'asset', code: 'unexpected', message });
  }
  if (errors.length > 0) throw invalidRequest(errors);
  return conditionType;
}

function notAvailable(conditionType: ConditionType): FieldError {
  const message = `${conditionType} is not available yet: it needs the risk engine. Use another condition, such as health_factor_below.`;
  return { field: 'conditionType', code: 'not_available', message };
}

/**
 * @throws tier_required for deleverage below enterprise
 * @throws invalid_request naming actionType or a field of action
 */
export function checkAction(
  { tier }: Pick<Identity, 'tier'>,
  actionType: ActionType,
  action: RuleActionBody | undefined,
): { actionType: AvailableActionType; webhookId: string | null } {
  if (actionType === 'deleverage') {
    if (tier !== 'enterprise') {
      throw new Problem(
        'tier_required',
        'The action deleverage is part of the enterprise tier. Use alert or webhook, or move to that tier.',
      );
    }
    const message =
      'deleverage is not available yet: it needs the execution service. Use alert or webhook instead.';
    throw invalidRequest([{ field: 'actionType', code: 'not_available', message }]);
  }
  const expected: keyof RuleActionBody | null = actionType === 'webhook' ? 'webhookId' : null;
  const given = Object.entries(action ?? {}).filter(([, value]) => value !== undefined);
  const errors = given
    .filter(([field]) => field !== expected)
    .map(([field]) => ({
      field: `action.${field}`,
      code: 'unexpected',
      message: `The action ${actionType} takes no ${field}. Remove it.`,
    }));
  if (expected !== null && action?.webhookId === undefined) {
    const message = 'The action webhook needs the id of one of your webhook endpoints.';
    errors.push({ field: 'action.webhookId', code: 'required', message });
  }
  if (errors.length > 0) throw invalidRequest(errors);
  return { actionType, webhookId: expected === null ? null : (action?.webhookId ?? null) };
}

/** Tokens that stand for the same price (decisions.md, Endpoints beyond the tables). */
const SAME_PRICE: Readonly<Record<string, string>> = { ETH: 'WETH', BTC: 'WBTC' };

/**
 * The symbol of the held asset that a symbol in any case means.
 * @throws invalid_request when the position does not hold it
 */
export function heldAsset(asked: string, held: readonly string[]): string {
  const wanted = asked.toUpperCase();
  const found =
    held.find((symbol) => symbol.toUpperCase() === wanted) ??
    held.find((symbol) => symbol.toUpperCase() === SAME_PRICE[wanted]);
  if (found !== undefined) return found;
  const message = `The position does not hold ${asked}. It holds ${held.join(', ') || 'nothing'}.`;
  throw invalidRequest([{ field: 'asset', code: 'not_held', message }]);
}
