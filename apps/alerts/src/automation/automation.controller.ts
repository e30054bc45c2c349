import { Body, Controller, Delete, Get, Headers, HttpCode, Param, Patch, Post, Query } from '@nestjs/common';
import {
  CreateRuleBody,
  type DeletedRule,
  type ExecutionList,
  IDENTITY_HEADER,
  type Identity,
  ListExecutionsQuery,
  PageQuery,
  type RuleAnswer,
  RuleConditionBody,
  type RuleList,
  type RulePreview,
  UpdateRuleBody,
} from '@plimsoll/contracts';
import {
  CurrentRequest,
  CurrentIdentity,
  Idempotency,
  type IdempotentRequest,
  LimitedConcurrency,
} from '@plimsoll/service-kit';
import { beforeIdOf, pageOf } from '../infrastructure/page';
import { ExecutionsRepository } from '../sources/rule/executions.repository';
import { RulesRepository } from '../sources/rule/rules.repository';
import { ruleResponse } from './rule-response';
import { RulesService } from './rules.service';

@Controller('v1/automation')
export class AutomationController {
  constructor(
    private readonly service: RulesService,
    private readonly rules: RulesRepository,
    private readonly executions: ExecutionsRepository,
    private readonly idempotency: Idempotency,
  ) {}

  @Get('rules')
  async list(
    @CurrentIdentity() { accountId }: Identity,
    @Query() { limit, cursor }: PageQuery,
  ): Promise<RuleList> {
    const page = pageOf(await this.rules.list(accountId, beforeIdOf(cursor), limit + 1), limit);
    return { rules: page.items.map(ruleResponse), count: page.items.length, nextCursor: page.nextCursor };
  }

  @Post('rules')
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
  preview(
    @Headers(IDENTITY_HEADER) signedIdentity: string,
    @Body() body: RuleConditionBody,
  ): Promise<RulePreview> {
    return this.service.preview({ signedIdentity }, body);
  }

  @Patch('rules/:id')
  async update(
    @CurrentIdentity() identity: Identity,
    @Headers(IDENTITY_HEADER) signedIdentity: string,
    @Param('id') id: string,
    @Body() body: UpdateRuleBody,
  ): Promise<RuleAnswer> {
    return { rule: ruleResponse(await this.service.update(identity, { signedIdentity }, id, body)) };
  }

  @Delete('rules/:id')
  async remove(@CurrentIdentity() identity: Identity, @Param('id') id: string): Promise<DeletedRule> {
    await this.service.delete(identity, id);
    return { success: true, deleted: id };
  }

  @Get('executions')
  async listExecutions(
    @CurrentIdentity() { accountId }: Identity,
    @Query() { limit, cursor, ruleId, status }: ListExecutionsQuery,
  ): Promise<ExecutionList> {
    const found = await this.executions.list(accountId, { ruleId, status }, beforeIdOf(cursor), limit + 1);
    const { items, nextCursor } = pageOf(found, limit);
    return { executions: items, count: items.length, nextCursor };
  }
}
