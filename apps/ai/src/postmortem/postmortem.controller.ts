import { Body, Controller, HttpCode, Post, Res } from '@nestjs/common';
import { PostmortemAnswer, PostmortemBody, type Identity } from '@plimsoll/contracts';
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
import { PostmortemService } from './postmortem.service';

const FACTS =
  'Every figure is a fact that the service read from this API for this answer, with the permissions of the key. The response contains the facts. `missing` names what could not be read.';

@Controller('v1/ai/postmortem')
export class PostmortemController {
  constructor(private readonly service: PostmortemService) {}

  @Post()
  @HttpCode(200)
  @LimitedConcurrency(ANSWERS, ANSWER_SLOTS)
  @Documented({
    operationId: 'writePostmortem',
    tag: 'AI',
    summary: 'Course and cause of an incident',
    description: `The cause is the largest change of the health factor of the most endangered position, between the safest time of the day before and the worst time of the incident. The logarithm of the health factor is the sum of those of collateral, debt and threshold. The wallet’s own moves are subtracted from each. ${FACTS}`,
    responses: [
      {
        status: 200,
        description: 'The postmortem.',
        schema: PostmortemAnswer,
        headers: ['X-Answer-Generator'],
      },
    ],
    errors: ['not_found'],
  })
  async write(
    @CurrentIdentity() identity: Identity,
    @CurrentCaller() caller: Caller,
    @RequestAborted() left: AbortSignal,
    @Res({ passthrough: true }) reply: FastifyReply,
    @Body() body: PostmortemBody,
  ): Promise<PostmortemAnswer> {
    return sent(reply, await this.service.write({ identity, caller, left }, body));
  }
}
