import { Controller, Get, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { register } from 'prom-client';
import { WithoutIdentity } from '../identity/identity.guard';

/** /metrics in the Prometheus text format, from prom-client's default registry. */
@Controller('metrics')
@WithoutIdentity()
export class MetricsController {
  @Get()
  async metrics(@Res() reply: FastifyReply): Promise<void> {
    await reply.type(register.contentType).send(await register.metrics());
  }
}
