import {
  type ActionType,
  type AvailableActionType,
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
    const message = `${conditionType} looks at no asset. Remove it.`;
    errors.push({ field: 'asset', code: 'unexpected', message });
  }
  if (errors.length > 0) throw invalidRequest(errors);
  return conditionType;
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
      'Rules do not execute yet. Use alert or webhook, and call POST /v1/execution/deleverage yourself.';
    throw invalidRequest([{ field: 'actionType', code: 'not_available', message }]);
  }
  if (actionType === 'alert') {
    if (action === undefined) return { actionType, webhookId: null };
    const message = 'The action alert takes no more. Remove it.';
    throw invalidRequest([{ field: 'action', code: 'unexpected', message }]);
  }
  return { actionType, webhookId: webhookIdOf(action ?? {}) };
}

function webhookIdOf({ webhookId, ...others }: RuleActionBody): string {
  const errors = Object.entries(others)
    .filter(([, value]) => value !== undefined)
    .map(([field]) => ({
      field: `action.${field}`,
      code: 'unexpected',
      message: `The action webhook takes no ${field}. Remove it.`,
    }));
  if (webhookId !== undefined && errors.length === 0) return webhookId;
  const message = 'The action webhook needs the id of one of your webhook endpoints.';
  if (webhookId === undefined) errors.push({ field: 'action.webhookId', code: 'required', message });
  throw invalidRequest(errors);
}

/**
 * The symbol of the held asset that a symbol in any case means.
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
