import { Body, Controller, HttpCode, Post, Res } from '@nestjs/common';
import { type PostmortemAnswer, PostmortemBody, type Identity } from '@plimsoll/contracts';
import {
  type Caller,
  RequestAborted,
  CurrentCaller,
  CurrentIdentity,
  LimitedConcurrency,
} from '@plimsoll/service-kit';
import type { FastifyReply } from 'fastify';
import { sent } from '../audit/sent';
import { PostmortemService } from './postmortem.service';

@Controller('v1/ai/postmortem')
export class PostmortemController {
  constructor(private readonly service: PostmortemService) {}

  @Post()
  @HttpCode(200)
  @LimitedConcurrency('answers')
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
