import { Body, Controller, HttpCode, Post, Res } from '@nestjs/common';
import { AiSuggestions, SuggestionsBody, type Identity } from '@plimsoll/contracts';
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
import { SuggestionsService } from './suggestions.service';

const FACTS =
  'Every figure is a fact that the service read from this API for this answer, with the permissions of the key. The response contains the facts. `missing` names what could not be read.';

@Controller('v1/ai/suggestions')
export class SuggestionsController {
  constructor(private readonly service: SuggestionsService) {}

  @Post()
  @HttpCode(200)
  @LimitedConcurrency(ANSWERS, ANSWER_SLOTS)
  @Documented({
    operationId: 'suggestActions',
    tag: 'AI',
    summary: 'Suggestions that make positions safer',
    description: `Actions for the positions with the lowest health factors. The service proves each action before it suggests it: it applies the amounts to the position and simulates the result on the same paths. Actions that miss their target are omitted. The target is the threshold of risk level low, or a target of the action itself. ${FACTS}`,
    responses: [
      {
        status: 200,
        description: 'The suggestions.',
        schema: AiSuggestions,
        headers: ['X-Answer-Generator'],
      },
    ],
    errors: ['not_found'],
  })
  async suggest(
    @CurrentIdentity() identity: Identity,
    @CurrentCaller() caller: Caller,
    @RequestAborted() left: AbortSignal,
    @Res({ passthrough: true }) reply: FastifyReply,
    @Body() body: SuggestionsBody,
  ): Promise<AiSuggestions> {
    return sent(reply, await this.service.suggest({ identity, caller, left }, body));
  }
}
