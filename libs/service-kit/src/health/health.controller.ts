import { Controller, Get, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { WithoutIdentity } from '../identity/identity.guard';
import { Health } from './health';

const CHECK_DEADLINE_MS = 2_000;

/**
 * /health/live: the process responds. /health/ready: all required dependencies work; otherwise 503 with the
 * reasons.
 */
@Controller('health')
@WithoutIdentity()
export class HealthController {
  constructor(private readonly health: Health) {}

  @Get('live')
  live(): { status: 'live' } {
    return { status: 'live' };
  }

  @Get('ready')
  async ready(@Res() reply: FastifyReply): Promise<void> {
    const report = await this.health.report(CHECK_DEADLINE_MS);
    await reply.status(report.status === 'not_ready' ? 503 : 200).send(report);
  }
}
