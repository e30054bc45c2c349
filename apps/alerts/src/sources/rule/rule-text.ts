import { type ConditionType, checksumAddress } from '@plimsoll/contracts';
import {
  formatHealthFactor,
  formatPrice,
  formatValue as shownUsd,
  shortWallet,
  venueName,
} from '../../content/format-figures';
import type { AlertText } from '../../lifecycle/alert';
import type { PositionState } from '../../positions/position-state';
import { CONDITION_KINDS, type Condition } from './condition';
import type { RuleAction } from './evaluate-rule';
import type { Rule } from './rule';

/** Returns the text of a rule that fires. */
export function firedText(rule: Rule, value: number, position: PositionState): AlertText {
  const what = nameOf(rule);
  const shown = `${formatConditionValue(rule.conditionType, value)}${errorOf(rule, value, position)}`;
  const limit = `${CONDITION_KINDS[rule.conditionType].side} ${formatConditionValue(rule.conditionType, rule.conditionValue)}`;
  const own = `Your rule "${rule.name}" watches the position of wallet ${shortWallet(checksumAddress(position.wallet))} in ${venueName(position)}`;
  const isHealthFactor = rule.conditionType.startsWith('health_factor');
  const figure = isHealthFactor
    ? ''
    : `, whose health factor is ${formatHealthFactor(position.healthFactor)}`;
  return { title: `${rule.name}: ${what} ${shown} is ${limit}`, message: `${own}${figure}.` };
}

/** Returns the text of a rule's alert that resolves. */
export function clearedText(
  rule: Rule,
  { reason, value }: Extract<RuleAction, { kind: 'clear' }>,
  position: PositionState,
): AlertText {
  if (reason === 'closed') {
    return {
      title: `${rule.name}: position closed`,
      message: `The rule watched the position in ${venueName(position)}.`,
    };
  }
  if (reason === 'rule_off' || value === null) {
    return {
      title: `${rule.name}: rule switched off`,
      message: 'Its condition is no longer evaluated.',
    };
  }
  const what = nameOf(rule);
  const shown = `${formatConditionValue(rule.conditionType, value)}${errorOf(rule, value, position)}`;
  return {
    title: `${rule.name}: ${what} back at ${shown}`,
    message: `The condition of the rule no longer holds for the position in ${venueName(position)}.`,
  };
}

/** The error of a simulated probability, in brackets. Empty for other values and where it is not known. */
function errorOf({ conditionType }: Rule, value: number, position: PositionState): string {
  const error = position.liquidationProbabilityError;
  if (conditionType !== 'liquidation_probability_above' || !error) return '';
  const shown = formatConditionValue(conditionType, error);
  return value === 0 ? ` (very likely below ${shown})` : ` (standard error ${shown})`;
}

function nameOf({ conditionType, asset }: Condition): string {
  const names: Record<ConditionType, string> = {
    health_factor_below: 'health factor',
    health_factor_above: 'health factor',
    ltv_above: 'LTV',
    collateral_usd_below: 'collateral',
    debt_usd_above: 'debt',
    risk_score_above: 'risk score',
    liquidation_probability_above: 'liquidation probability within 30 days',
    liquidation_distance_below: 'distance to liquidation',
    price_below: `price of ${asset}`,
    price_above: `price of ${asset}`,
  };
  return names[conditionType];
}

function formatConditionValue(conditionType: ConditionType, value: number): string {
  if (!Number.isFinite(value)) return value > 0 ? 'infinite' : 'none';
  switch (conditionType) {
    case 'health_factor_below':
    case 'health_factor_above':
      return formatHealthFactor(value);
    case 'ltv_above':
      return String(Math.round(value * 1e4) / 1e4);
    case 'risk_score_above':
      return String(Math.round(value * 10) / 10);
    case 'liquidation_probability_above':
      return `${Math.round(value * 1e4) / 100} %`;
    case 'liquidation_distance_below':
      return `${Math.round(value * 100) / 100} %`;
    case 'price_below':
    case 'price_above':
      return formatPrice(value);
    default:
      return shownUsd(value);
  }
}
