import { Body, Controller, HttpCode, Post, Res } from '@nestjs/common';
import { type AiSuggestions, type Identity, SuggestionsBody } from '@plimsoll/contracts';
import {
  type Caller,
  RequestAborted,
  CurrentCaller,
  CurrentIdentity,
  LimitedConcurrency,
} from '@plimsoll/service-kit';
import type { FastifyReply } from 'fastify';
import { sent } from '../audit/sent';
import { SuggestionsService } from './suggestions.service';

@Controller('v1/ai/suggestions')
export class SuggestionsController {
  constructor(private readonly service: SuggestionsService) {}

  @Post()
  @HttpCode(200)
  @LimitedConcurrency('answers')
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
