import { Body, Controller, HttpCode, Post, Res } from '@nestjs/common';
import { type Identity, type RiskQaAnswer, RiskQaBody } from '@plimsoll/contracts';
import {
  type Caller,
  RequestAborted,
  CurrentCaller,
  CurrentIdentity,
  LimitedConcurrency,
} from '@plimsoll/service-kit';
import type { FastifyReply } from 'fastify';
import { sent } from '../audit/sent';
import { RiskQaService } from './risk-qa.service';

@Controller('v1/ai/risk-qa')
export class RiskQaController {
  constructor(private readonly service: RiskQaService) {}

  @Post()
  @HttpCode(200)
  @LimitedConcurrency('answers')
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
