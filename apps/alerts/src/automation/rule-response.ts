import type { AutomationRule, RuleV1 } from '@plimsoll/contracts';
import type { Rule } from '../sources/rule/rule';

/** Converts the rule to its REST representation. */
export function ruleResponse(rule: Rule): AutomationRule {
  const { id, name, conditionType, conditionValue, asset, actionType, positionId, isActive } = rule;
  return {
    id,
    name,
    conditionType,
    conditionValue,
    asset,
    actionType,
    action: actionResponse(rule),
    positionId,
    isActive,
    createdAt: new Date(rule.createdAtMs).toISOString(),
    updatedAt: new Date(rule.updatedAtMs).toISOString(),
  };
}

function actionResponse({ webhookId, deleverage }: Rule): AutomationRule['action'] {
  if (webhookId !== null) return { webhookId };
  if (deleverage === null) return null;
  const { targetHealthFactor, strategy, maxSlippageBps, dryRun } = deleverage;
  return { targetHealthFactor, strategy, maxSlippageBps, dryRun };
}

/** Converts the rule to its event. */
export function ruleEvent(rule: Rule): RuleV1 {
  const { id, accountId, positionId, isActive, conditionType, conditionValue, asset, actionType } = rule;
  const updatedAt = new Date(rule.updatedAtMs).toISOString();
  return {
    ruleId: id,
    accountId,
    positionId,
    isActive,
    conditionType,
    conditionValue,
    asset,
    actionType,
    updatedAt,
  };
}
