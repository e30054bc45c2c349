import { Controller, Get, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { READINESS_PATH, WithoutIdentity } from '../identity/identity.guard';
import { Health, type HealthReport } from './health';

const CHECK_DEADLINE_MS = 2_000;

/**
 * /health/live: the process responds. /inner/readiness, for other services: whether it takes traffic, 503 when not. The
 * reasons are on the port for operations.
 */
@Controller()
export class HealthController {
  constructor(private readonly health: Health) {}

  @Get('health/live')
  @WithoutIdentity()
  live(): { status: 'live' } {
    return { status: 'live' };
  }

  @Get(READINESS_PATH)
  async ready(@Res() reply: FastifyReply): Promise<void> {
    const { status } = await this.health.report(CHECK_DEADLINE_MS);
    const body: Pick<HealthReport, 'status'> = { status };
    await reply.status(status === 'not_ready' ? 503 : 200).send(body);
  }
}
