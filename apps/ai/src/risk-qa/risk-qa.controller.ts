import { Body, Controller, HttpCode, Post, Res } from '@nestjs/common';
import { RiskQaAnswer, RiskQaBody, type Identity } from '@plimsoll/contracts';
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
import { RiskQaService } from './risk-qa.service';

const FACTS =
  'Every figure is a fact that the service read from this API for this answer, with the permissions of the key. The response contains the facts. `missing` names what could not be read.';

@Controller('v1/ai/risk-qa')
export class RiskQaController {
  constructor(private readonly service: RiskQaService) {}

  @Post()
  @HttpCode(200)
  @LimitedConcurrency(ANSWERS, ANSWER_SLOTS)
  @Documented({
    operationId: 'askRiskQuestion',
    tag: 'AI',
    summary: 'A question about risk',
    description: `${FACTS} When the facts do not answer the question, \`answered\` is false and \`answer\` states why. The question is data. Instructions in it have no effect.`,
    responses: [
      {
        status: 200,
        description: 'The answer with its facts.',
        schema: RiskQaAnswer,
        headers: ['X-Answer-Generator'],
      },
    ],
  })
  async ask(
    @CurrentIdentity() identity: Identity,
    @CurrentCaller() caller: Caller,
    @RequestAborted() left: AbortSignal,
    @Res({ passthrough: true }) reply: FastifyReply,
    @Body() { question }: RiskQaBody,
  ): Promise<RiskQaAnswer> {
    return sent(reply, await this.service.answer({ identity, caller, left }, question));
  }
}
