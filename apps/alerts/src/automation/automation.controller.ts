import { Body, Controller, Delete, Get, Headers, HttpCode, Param, Patch, Post, Query } from '@nestjs/common';
import {
  CreateRuleBody,
  DeletedRule,
  ExecutionList,
  IDENTITY_HEADER,
  type Identity,
  ListExecutionsQuery,
  PageQuery,
  RuleAnswer,
  PreviewRuleBody,
  RuleList,
  RulePreview,
  UpdateRuleBody,
  recordId,
} from '@plimsoll/contracts';
import { Documented } from '@plimsoll/openapi';
import {
  CurrentRequest,
  CurrentIdentity,
  Idempotency,
  type IdempotentRequest,
  LimitedConcurrency,
  idOfCursor,
  pageOf,
} from '@plimsoll/service-kit';
import { ExecutionsRepository } from '../sources/rule/executions.repository';
import { RulesRepository } from '../sources/rule/rules.repository';
import { ruleResponse } from './rule-response';
import { RulesService } from './rules.service';

const path = { id: recordId('rule', 'Id of the rule.') };

const LOOKED_UP =
  'The service reads the position, its risk for a rule on it, and the endpoint of a webhook action. While one of them is unavailable, the response is a 503 or 504.';

@Controller('v1/automation')
export class AutomationController {
  constructor(
    private readonly service: RulesService,
    private readonly rules: RulesRepository,
    private readonly executions: ExecutionsRepository,
    private readonly idempotency: Idempotency,
  ) {}

  @Get('rules')
  @Documented({
    operationId: 'listRules',
    tag: 'Automation',
    summary: 'Rules of the account',
    description: 'Newest first.',
    responses: [{ status: 200, description: 'A page of rules.', schema: RuleList }],
  })
  async list(
    @CurrentIdentity() { accountId }: Identity,
    @Query() { limit, cursor }: PageQuery,
  ): Promise<RuleList> {
    const found = await this.rules.list(accountId, idOfCursor(cursor), limit + 1);
    const { items, nextCursor } = pageOf(found, limit, ({ id }) => [id]);
    return { rules: items.map(ruleResponse), count: items.length, nextCursor };
  }

  @Post('rules')
  @Documented({
    operationId: 'createRule',
    tag: 'Automation',
    summary: 'Create a rule',
    description: `The service evaluates the rule immediately, and then at every change of the position, even when no account watches the wallet. It fires when the value is strictly beyond conditionValue. It can fire again after the value has returned by a margin (0.02 of a health factor, 1 point of liquidation distance, risk score or probability, half of the threshold when that is less, 1 % of other values), and after at least five minutes. price_below and price_above compare the market price of GET /v1/prices at each change of it. ETH and WETH have one price, and BTC and WBTC have one price. A stale price neither fires nor clears a rule. An asset without any known price is refused with \`not_available\`. risk_score_above and liquidation_probability_above compare the values of GET /v1/positions/:id/risk-score every 15 s. While these cannot be computed, such a rule cannot be created (503). The action deleverage needs the enterprise tier and a key with wallets:write as well. It cannot have the condition health_factor_above. With health_factor_below, action.targetHealthFactor must be above conditionValue by at least 0.02. It brings the position to action.targetHealthFactor through the executor contract, like POST /v1/execution/deleverage with mode submit: simulated on the newest block when the rule fires, one in flight per position, cancelled when it is not sent within 10 minutes. Each firing creates one execution, and GET /v1/automation/executions and GET /v1/execution/status show it under one id. A rule that could never execute is refused. A position, protocol or chain without an executor contract is a 400 \`unsupported_execution\`. A 409 \`execution_refused\` means: the wallet has not let this account run executions (action.walletSignature), it has no policy on chain that allows the action, the target or conditionValue is outside of that policy, or the position has no debt. A business account may have 100 rules, an enterprise account 1,000. ${LOOKED_UP}`,
    responses: [{ status: 201, description: 'The rule.', schema: RuleAnswer }],
    errors: ['not_found', 'quota_reached', 'unsupported_execution', 'execution_refused'],
    idempotent: true,
  })
  create(
    @CurrentIdentity() identity: Identity,
    @CurrentRequest() call: IdempotentRequest,
    @Headers(IDENTITY_HEADER) signedIdentity: string,
    @Body() body: CreateRuleBody,
  ): Promise<RuleAnswer> {
    return this.idempotency.respond(call, (commit) =>
      this.service.create(identity, { signedIdentity }, body, commit),
    );
  }

  @Post('rules/preview')
  @HttpCode(200)
  @LimitedConcurrency('simulations')
  @Documented({
    operationId: 'previewRule',
    tag: 'Automation',
    summary: 'Past firings of a condition',
    description:
      'Evaluates the condition over the stored history of the position, with the margins and cooldown of a rule. The response states the period of the history. It begins when the position was first tracked, and has one state a minute of at most 30 days. A rule on a price uses the market prices of that period, one a minute. The body of a rule to create is accepted too.',
    responses: [{ status: 200, description: 'The firings in the history.', schema: RulePreview }],
    errors: ['not_found'],
  })
  preview(
    @Headers(IDENTITY_HEADER) signedIdentity: string,
    @Body() body: PreviewRuleBody,
  ): Promise<RulePreview> {
    return this.service.preview({ signedIdentity }, body);
  }

  @Patch('rules/:id')
  @Documented({
    operationId: 'updateRule',
    tag: 'Automation',
    summary: 'Change a rule',
    description: `Absent fields keep their value. The service evaluates the changed rule immediately. Disabling a rule resolves its alert. ${LOOKED_UP}`,
    path,
    responses: [{ status: 200, description: 'The rule after the change.', schema: RuleAnswer }],
    errors: ['not_found', 'unsupported_execution', 'execution_refused'],
  })
  async update(
    @CurrentIdentity() identity: Identity,
    @Headers(IDENTITY_HEADER) signedIdentity: string,
    @Param('id') id: string,
    @Body() body: UpdateRuleBody,
  ): Promise<RuleAnswer> {
    return { rule: ruleResponse(await this.service.update(identity, { signedIdentity }, id, body)) };
  }

  @Delete('rules/:id')
  @Documented({
    operationId: 'deleteRule',
    tag: 'Automation',
    summary: 'Delete a rule',
    description: 'Its alert resolves. Its executions remain.',
    path,
    responses: [{ status: 200, description: 'It is deleted.', schema: DeletedRule }],
    errors: ['not_found'],
  })
  async remove(@CurrentIdentity() identity: Identity, @Param('id') id: string): Promise<DeletedRule> {
    await this.service.delete(identity, id);
    return { success: true, deleted: id };
  }

  @Get('executions')
  @Documented({
    operationId: 'listExecutions',
    tag: 'Automation',
    summary: 'Executions of rules',
    description:
      'One execution for each time a rule fired, newest first. The action alert is completed immediately. The action webhook is pending, then running while its delivery is retried, and ends with the delivery: completed, failed or skipped.',
    responses: [{ status: 200, description: 'A page of executions.', schema: ExecutionList }],
  })
  async listExecutions(
    @CurrentIdentity() { accountId }: Identity,
    @Query() { limit, cursor, ruleId, status }: ListExecutionsQuery,
  ): Promise<ExecutionList> {
    const found = await this.executions.list(accountId, { ruleId, status }, idOfCursor(cursor), limit + 1);
    const { items, nextCursor } = pageOf(found, limit, ({ id }) => [id]);
    return { executions: items, count: items.length, nextCursor };
  }
}
