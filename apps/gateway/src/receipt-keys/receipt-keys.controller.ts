import { Controller, Get, Req, Res } from '@nestjs/common';
import { WithoutIdentity } from '@plimsoll/service-kit';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { KEYS_PATH, ReceiptKeys } from './receipt-keys';

/** Serves the public keys of receipts without a key, also to pages of other origins. */
@Controller(KEYS_PATH.slice(1))
@WithoutIdentity()
export class ReceiptKeysController {
  constructor(private readonly keys: ReceiptKeys) {}

  @Get()
  async list(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const file = await this.keys.file(Date.now());
    await file.send(request, reply.header('access-control-allow-origin', '*'));
  }
}
