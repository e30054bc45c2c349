import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { ExecutionReadinessBody, type Identity } from '@plimsoll/contracts';
import { type Caller, CurrentCaller, CurrentIdentity } from '@plimsoll/service-kit';
import { ReadinessService } from './readiness.service';

/** For alerts alone: the gateway leads nobody here. */
@Controller('inner/execution')
export class ReadinessController {
  constructor(private readonly service: ReadinessService) {}

  /** 200 where a rule could execute what it would ask for; a problem as of POST /v1/execution/deleverage where not. */
  @Post('readiness')
  @HttpCode(200)
  async check(
    @CurrentIdentity() { accountId }: Identity,
    @CurrentCaller() caller: Caller,
    @Body() body: ExecutionReadinessBody,
  ): Promise<{ isReady: true }> {
    await this.service.check(accountId, caller, body);
    return { isReady: true };
  }
}
