import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { ExecutionReadinessBody, type Identity } from '@plimsoll/contracts';
import { type Caller, CurrentCaller, CurrentIdentity } from '@plimsoll/service-kit';
import { ReadinessService } from './readiness.service';

/** For the alerts service only. The gateway does not route here. */
@Controller('inner/execution')
export class ReadinessController {
  constructor(private readonly service: ReadinessService) {}

  /**
   * Responds with 200 when a rule could execute its request, otherwise with a problem as POST
   * /v1/execution/deleverage.
   */
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
