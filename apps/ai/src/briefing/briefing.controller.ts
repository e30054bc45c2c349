import { Body, Controller, HttpCode, Post, Res } from '@nestjs/common';
import { type BriefingAnswer, BriefingBody, type Identity } from '@plimsoll/contracts';
import {
  type Caller,
  RequestAborted,
  CurrentCaller,
  CurrentIdentity,
  LimitedConcurrency,
} from '@plimsoll/service-kit';
import type { FastifyReply } from 'fastify';
import { sent } from '../audit/sent';
import { BriefingService } from './briefing.service';

@Controller('v1/ai/briefing')
export class BriefingController {
  constructor(private readonly service: BriefingService) {}

  @Post()
  @HttpCode(200)
  @LimitedConcurrency('answers')
  async write(
    @CurrentIdentity() identity: Identity,
    @CurrentCaller() caller: Caller,
    @RequestAborted() left: AbortSignal,
    @Res({ passthrough: true }) reply: FastifyReply,
    @Body() body: BriefingBody,
  ): Promise<BriefingAnswer> {
    return sent(reply, await this.service.write({ identity, caller, left }, body));
  }
}
