import { Body, Controller, Get, Post, Query } from '@nestjs/common';
import {
  ExecuteDeleverageBody,
  type ExecutionAnswer,
  type ExecutionStatusAnswer,
  ExecutionStatusQuery,
  type Identity,
  notFound,
} from '@plimsoll/contracts';
import {
  type Caller,
  CurrentRequest,
  CurrentCaller,
  CurrentIdentity,
  Idempotency,
  type IdempotentRequest,
  LimitedConcurrency,
  decodeCursor,
  encodeCursor,
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
  async status(
    @CurrentIdentity() { accountId }: Identity,
    @Query() { id, positionId, status, limit, cursor }: ExecutionStatusQuery,
  ): Promise<ExecutionStatusAnswer> {
    if (id !== undefined) return this.one(accountId, id);
    const [beforeId] = decodeCursor(cursor, ['string']) ?? [];
    const before = beforeId === undefined ? null : String(beforeId);
    const found = await this.repository.list(accountId, { positionId, status }, before, limit + 1);
    const page = found.slice(0, limit);
    const steps = await this.repository.stepsOf(page.map((row) => row.id));
    const last = page.at(-1);
    return {
      executions: page.map((row) => executionRecord(row, steps.get(row.id) ?? [])),
      count: page.length,
      nextCursor: last && found.length > limit ? encodeCursor([last.id]) : null,
    };
  }

  private async one(accountId: string, id: string): Promise<ExecutionStatusAnswer> {
    const row = await this.repository.find(accountId, id);
    if (!row) throw notFound('execution');
    const steps = await this.repository.stepsOf([id]);
    return { execution: executionRecord(row, steps.get(id) ?? []) };
  }
}
