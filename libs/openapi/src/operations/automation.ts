import {
  CreateRuleBody,
  DeletedRule,
  ExecutionList,
  ListExecutionsQuery,
  PageQuery,
  RuleAnswer,
  RuleConditionBody,
  RuleList,
  RulePreview,
  UpdateRuleBody,
  recordId,
} from '@plimsoll/contracts';
import type { Operations } from '../operation';
import { ALERT_ID, EXECUTION_ID, POSITION_ID, RULE_ID, TIMESTAMP } from './samples';

const path = { id: recordId('rule', 'Id of the rule.') };
const CONDITION = { conditionType: 'health_factor_below', conditionValue: 1.2, positionId: POSITION_ID };
const RULE = {
  id: RULE_ID,
  name: 'Keep me above 1.2',
  ...CONDITION,
  asset: null,
  actionType: 'alert',
  action: null,
  isActive: true,
  createdAt: TIMESTAMP,
  updatedAt: TIMESTAMP,
};
const LOOKED_UP =
  'The service reads the position, its risk for a rule on it, and the endpoint of a webhook action. While one of them is unavailable, the response is a 503 or 504.';

export const automationOperations: Operations = {
  'GET /v1/automation/rules': {
    operationId: 'listRules',
    tag: 'Automation',
    summary: 'Rules of the account',
    description: 'Newest first.',
    query: PageQuery,
    responses: [
      {
        status: 200,
        description: 'A page of rules.',
        schema: RuleList,
        example: { rules: [RULE], count: 1, nextCursor: null },
      },
    ],
  },
  'POST /v1/automation/rules': {
    operationId: 'createRule',
    tag: 'Automation',
    summary: 'Create a rule',
    description: `The service evaluates the rule immediately, and then at every change of the position, even when no account watches the wallet. It fires when the value is strictly beyond conditionValue. It can fire again after the value has returned by a margin (0.02 of a health factor, 1 point of liquidation distance, risk score or probability, half of the threshold when that is less, 1 % of other values), and after at least five minutes. price_below and price_above compare the market price of GET /v1/prices at each change of it. ETH and WETH have one price, and BTC and WBTC have one price. A stale price neither fires nor clears a rule. An asset without any known price is refused with \`not_available\`. risk_score_above and liquidation_probability_above compare the values of GET /v1/positions/:id/risk-score every 15 s. While these cannot be computed, such a rule cannot be created (503). The action deleverage needs the enterprise tier and a key with wallets:write as well. It cannot have the condition health_factor_above. With health_factor_below, action.targetHealthFactor must be above conditionValue by at least 0.02. It brings the position to action.targetHealthFactor through the executor contract, like POST /v1/execution/deleverage with mode submit: simulated on the newest block when the rule fires, one in flight per position, cancelled when it is not sent within 10 minutes. Each firing creates one execution, and GET /v1/automation/executions and GET /v1/execution/status show it under one id. A rule that could never execute is refused. A position, protocol or chain without an executor contract is a 400 \`unsupported_execution\`. A 409 \`execution_refused\` means: the wallet has not let this account run executions (action.walletSignature), it has no policy on chain that allows the action, the target or conditionValue is outside of that policy, or the position has no debt. A business account may have 100 rules, an enterprise account 1,000. ${LOOKED_UP}`,
    body: CreateRuleBody,
    bodyExample: { ...CONDITION, name: RULE.name, actionType: 'alert' },
    responses: [{ status: 201, description: 'The rule.', schema: RuleAnswer, example: { rule: RULE } }],
    errors: ['not_found', 'quota_reached', 'unsupported_execution', 'execution_refused'],
    idempotent: true,
  },
  'POST /v1/automation/rules/preview': {
    operationId: 'previewRule',
    tag: 'Automation',
    summary: 'Past firings of a condition',
    description:
      'Evaluates the condition over the stored history of the position, with the margins and cooldown of a rule. The response states the period of the history. It begins when the position was first tracked, and has one state a minute of at most 30 days. A rule on a price uses the market prices of that period, one a minute.',
    body: RuleConditionBody,
    bodyExample: CONDITION,
    responses: [
      {
        status: 200,
        description: 'The firings in the history.',
        schema: RulePreview,
        example: {
          firedCount: 1,
          firings: [{ firedAt: TIMESTAMP, block: 21_300_017, value: 1.1834, clearedAt: null }],
          history: { from: TIMESTAMP, to: TIMESTAMP, states: 1, resolutionSeconds: 60 },
        },
      },
    ],
    errors: ['not_found'],
  },
  'PATCH /v1/automation/rules/:id': {
    operationId: 'updateRule',
    tag: 'Automation',
    summary: 'Change a rule',
    description: `Absent fields keep their value. The service evaluates the changed rule immediately. Disabling a rule resolves its alert. ${LOOKED_UP}`,
    path,
    body: UpdateRuleBody,
    bodyExample: { conditionValue: 1.3 },
    responses: [
      {
        status: 200,
        description: 'The rule after the change.',
        schema: RuleAnswer,
        example: { rule: { ...RULE, conditionValue: 1.3 } },
      },
    ],
    errors: ['not_found', 'unsupported_execution', 'execution_refused'],
  },
  'DELETE /v1/automation/rules/:id': {
    operationId: 'deleteRule',
    tag: 'Automation',
    summary: 'Delete a rule',
    description: 'Its alert resolves. Its executions remain.',
    path,
    responses: [
      {
        status: 200,
        description: 'It is deleted.',
        schema: DeletedRule,
        example: { success: true, deleted: RULE_ID },
      },
    ],
    errors: ['not_found'],
  },
  'GET /v1/automation/executions': {
    operationId: 'listExecutions',
    tag: 'Automation',
    summary: 'Executions of rules',
    description:
      'One execution for each time a rule fired, newest first. The action alert is completed immediately. The action webhook is pending, then running while its delivery is retried, and ends with the delivery: completed, failed or skipped.',
    query: ListExecutionsQuery,
    responses: [
      {
        status: 200,
        description: 'A page of executions.',
        schema: ExecutionList,
        example: {
          executions: [
            {
              id: EXECUTION_ID,
              ruleId: RULE_ID,
              status: 'completed',
              triggeredAt: TIMESTAMP,
              finishedAt: TIMESTAMP,
              result: 'Keep me above 1.2: health factor 1.1834 is below 1.2',
              alertId: ALERT_ID,
            },
          ],
          count: 1,
          nextCursor: null,
        },
      },
    ],
  },
};
