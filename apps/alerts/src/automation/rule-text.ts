import { type AlertText, place, shownHealthFactor } from '../evaluation/alert-text';
import type { PositionState } from '../evaluation/position-state';
import { type AvailableConditionType, CONDITION_KINDS, type Condition } from './condition';
import type { RuleAction } from './evaluate-rule';
import type { Rule } from './rule';

/** What is told when a rule fires. */
export function firedText(rule: Rule, value: number, position: PositionState): AlertText {
  const what = nameOf(rule);
  const shown = shownValue(rule.conditionType, value);
  const limit = `${CONDITION_KINDS[rule.conditionType].side} ${shownValue(rule.conditionType, rule.conditionValue)}`;
  return {
    title: `${rule.name}: ${what} ${shown} is ${limit}`,
    message: `The ${what} of the position in ${place(position)} is ${shown}, ${limit}, as your rule "${rule.name}" waits for. The position's health factor is ${shownHealthFactor(position.healthFactor)}.`,
  };
}

/** What is told when its alert resolves. */
export function clearedText(
  rule: Rule,
  { reason, value }: Extract<RuleAction, { kind: 'clear' }>,
  position: PositionState,
): AlertText {
  if (reason === 'rule_off') {
    return {
      title: `${rule.name}: rule switched off`,
      message: `Your rule "${rule.name}" is not evaluated any more.`,
    };
  }
  if (reason === 'closed') {
    return {
      title: `${rule.name}: position closed`,
      message: `The position in ${place(position)} that your rule "${rule.name}" watches is closed.`,
    };
  }
  const what = nameOf(rule);
  if (reason === 'not_held' || value === null) {
    return {
      title: `${rule.name}: no ${what} any more`,
      message: `The position in ${place(position)} does not hold ${rule.asset ?? 'it'} any more, so its price is not known.`,
    };
  }
  const shown = shownValue(rule.conditionType, value);
  return {
    title: `${rule.name}: ${what} back at ${shown}`,
    message: `The ${what} of the position in ${place(position)} is back at ${shown}.`,
  };
}

function nameOf({ conditionType, asset }: Condition): string {
  const names: Record<AvailableConditionType, string> = {
    health_factor_below: 'health factor',
    health_factor_above: 'health factor',
    ltv_above: 'LTV',
    collateral_usd_below: 'collateral',
    debt_usd_above: 'debt',
    liquidation_distance_below: 'distance to liquidation',
    price_below: `price of ${asset}`,
    price_above: `price of ${asset}`,
  };
  return names[conditionType];
}

function shownValue(conditionType: AvailableConditionType, value: number): string {
  if (!Number.isFinite(value)) return value > 0 ? 'infinite' : 'none';
  switch (conditionType) {
    case 'health_factor_below':
    case 'health_factor_above':
      return shownHealthFactor(value);
    case 'ltv_above':
      return String(Math.round(value * 1e4) / 1e4);
    case 'liquidation_distance_below':
      return `${Math.round(value * 100) / 100} %`;
    case 'price_below':
    case 'price_above':
      return `$${Number(value.toPrecision(8))}`;
    default:
      return `$${value.toFixed(2)}`;
  }
}
