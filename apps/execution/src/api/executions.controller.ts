import { Body, Controller, Get, Post, Query } from '@nestjs/common';
import {
  ExecuteDeleverageBody,
  ExecutionAnswer,
  ExecutionStatusAnswer,
  ExecutionStatusQuery,
  type Identity,
  notFound,
} from '@plimsoll/contracts';
import { Documented } from '@plimsoll/openapi';
import {
  type Caller,
  CurrentRequest,
  CurrentCaller,
  CurrentIdentity,
  Idempotency,
  type IdempotentRequest,
  LimitedConcurrency,
  idOfCursor,
  pageOf,
} from '@plimsoll/service-kit';
import { executionRecord } from '../executions/execution-record';
import { ExecutionsRepository } from '../executions/executions.repository';
import { ExecutionsService } from './executions.service';

@Controller('v1/execution')
export class ExecutionsController {
  constructor(
    private readonly service: ExecutionsService,
    private readonly repository: ExecutionsRepository,
    private readonly idempotency: Idempotency,
  ) {}

  @Post('deleverage')
  @LimitedConcurrency('simulations')
  @Documented({
    operationId: 'executeDeleverage',
    tag: 'Execution',
    summary: 'Bring a position to a health factor on chain',
    description:
      'The service reads the position on the newest block, computes the amounts in whole numbers, and simulates the transactions on that block. simulate returns the effect. build also returns the unsigned transactions, which the wallet signs and sends in order; this service holds no key of a user. submit sends a run of the executor contract for a wallet that has a policy there and has signed that this account may request it. Its response is pending, and GET /v1/execution/status reports the progress. A position has one execution in flight. Where the token supports a permit, `permit` is an alternative with one transaction less. repay_debt repays from the wallet’s balance of the debt asset. sell_collateral withdraws collateral and swaps it for the exact repayment, in several rounds when one withdrawal would make the position unsafe; it needs a supported exchange on the chain. flash_loan_unwind is available for submit. A request that can never be executed is a 400 `unsupported_execution`, and `errors` states the part. A request that the state of the chain forbids now is a 409 `execution_refused` with the reason as the code of its first error: no_debt, target_reached, infeasible, insufficient_balance, simulation_reverted, target_missed (more than 0.1 % from the target), slippage_exceeded, stale_block, price_mismatch (the protocol’s price and GET /v1/prices differ by more than 2 %), price_unknown, switched_off, not_authorised, executor_refused.',
    responses: [{ status: 202, description: 'The execution.', schema: ExecutionAnswer }],
    errors: ['not_found', 'unsupported_execution', 'execution_refused', 'conflict'],
    idempotent: true,
  })
  deleverage(
    @CurrentIdentity() identity: Identity,
    @CurrentCaller() caller: Caller,
    @CurrentRequest() call: IdempotentRequest,
    @Body() body: ExecuteDeleverageBody,
  ): Promise<ExecutionAnswer> {
    return this.idempotency.respond(call, (commit) =>
      this.service.deleverage(identity, caller, body, commit),
    );
  }

  @Get('status')
  @Documented({
    operationId: 'getExecutionStatus',
    tag: 'Execution',
    summary: 'One execution, or all of the account',
    description:
      'With `id`: one execution, under `execution`. Without it: a page of all, newest first, under `executions`.',
    responses: [{ status: 200, description: 'The execution, or a page.', schema: ExecutionStatusAnswer }],
    errors: ['not_found'],
  })
  async status(
    @CurrentIdentity() { accountId }: Identity,
    @Query() { id, positionId, status, limit, cursor }: ExecutionStatusQuery,
  ): Promise<ExecutionStatusAnswer> {
    if (id !== undefined) return this.one(accountId, id);
    const filter = { positionId, status };
    const found = await this.repository.list(accountId, filter, idOfCursor(cursor), limit + 1);
    const { items, nextCursor } = pageOf(found, limit, (last) => [last.id]);
    const steps = await this.repository.stepsOf(items.map((row) => row.id));
    const executions = items.map((row) => executionRecord(row, steps.get(row.id) ?? []));
    return { executions, count: items.length, nextCursor };
  }

  private async one(accountId: string, id: string): Promise<ExecutionStatusAnswer> {
    const row = await this.repository.find(accountId, id);
    if (!row) throw notFound('execution');
    const steps = await this.repository.stepsOf([id]);
    return { execution: executionRecord(row, steps.get(id) ?? []) };
  }
}
