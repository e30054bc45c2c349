import { Body, Delete, Get, HttpCode, Post } from '@nestjs/common';
import { PlanInfo, RequestPlanBody } from '@plimsoll/contracts';
import { Documented } from '@plimsoll/openapi';
import { PlanRequests } from '../accounts/plan-requests';
import type { Actor } from '../audit/audit-entry';
import type { Session } from '../sessions/sessions';
import { CurrentSession, SessionActor } from './account-guard';
import { AccountRoutes } from './account-routes';
import { SessionGuard } from './session.guard';

@AccountRoutes('account/v1/plan', SessionGuard)
export class PlanController {
  constructor(private readonly plans: PlanRequests) {}

  @Get()
  @Documented({
    operationId: 'getPlan',
    tag: 'Account',
    signedIn: true,
    summary: 'Show the plan',
    description: 'The tier of the account, and the change that it requested.',
    responses: [{ status: 200, description: 'The plan.', schema: PlanInfo }],
  })
  show(@CurrentSession() { accountId }: Session): Promise<PlanInfo> {
    return this.plans.of(accountId);
  }

  @Post()
  @HttpCode(200)
  @Documented({
    operationId: 'requestPlan',
    tag: 'Account',
    signedIn: true,
    summary: 'Request another plan',
    description: 'The operator applies the request. A later one replaces it.',
    responses: [{ status: 200, description: 'The plan with the request.', schema: PlanInfo }],
    errors: ['conflict'],
  })
  request(
    @CurrentSession() { accountId }: Session,
    @SessionActor() by: Actor,
    @Body() { tier }: RequestPlanBody,
  ): Promise<PlanInfo> {
    return this.plans.request(accountId, tier, by);
  }

  @Delete()
  @Documented({
    operationId: 'withdrawPlanRequest',
    tag: 'Account',
    signedIn: true,
    summary: 'Withdraw the requested plan',
    description: 'The tier of the account stays as it is.',
    responses: [{ status: 200, description: 'The plan without a request.', schema: PlanInfo }],
  })
  withdraw(@CurrentSession() { accountId }: Session, @SessionActor() by: Actor): Promise<PlanInfo> {
    return this.plans.withdraw(accountId, by);
  }
}
