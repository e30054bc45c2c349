import { Body, Controller, HttpCode, Post, Res } from '@nestjs/common';
import { BriefingAnswer, BriefingBody, type Identity } from '@plimsoll/contracts';
import { Documented } from '@plimsoll/openapi';
import {
  RequestAborted,
  CurrentCaller,
  CurrentIdentity,
  LimitedConcurrency,
  type Caller,
} from '@plimsoll/service-kit';
import type { FastifyReply } from 'fastify';
import { sent } from '../audit/answer-store';
import { ANSWERS, ANSWER_SLOTS } from '../facts/reading';
import { BriefingService } from './briefing.service';

const FACTS =
  'Every figure is a fact that the service read from this API for this answer, with the permissions of the key. The response contains the facts. `missing` names what could not be read.';

@Controller('v1/ai/briefing')
export class BriefingController {
  constructor(private readonly service: BriefingService) {}

  @Post()
  @HttpCode(200)
  @LimitedConcurrency(ANSWERS, ANSWER_SLOTS)
  @Documented({
    operationId: 'writeBriefing',
    tag: 'AI',
    summary: 'Events of a period, and the greatest risks now',
    description: `The watched wallets, their alerts and incidents, prices, the risk index and large moves over the last 24 hours, 7 or 30 days. ${FACTS}`,
    responses: [
      { status: 200, description: 'The briefing.', schema: BriefingAnswer, headers: ['X-Answer-Generator'] },
    ],
  })
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
