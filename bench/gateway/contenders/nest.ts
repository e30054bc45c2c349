import 'reflect-metadata';
import {
  All,
  type CanActivate,
  Controller,
  type ExecutionContext,
  Get,
  HttpException,
  Injectable,
  Module,
  Req,
  Res,
  UseGuards,
} from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyReply, FastifyRequest } from 'fastify';
import Redis from 'ioredis';
import { Pool } from 'undici';
import { TAKE_LUA } from '../../../apps/gateway/src/limits/take.lua';

const redis = new Redis(process.env.REDIS_URL ?? '') as Redis & {
  take(keys: number, ...rest: (string | number)[]): Promise<number[]>;
};
redis.defineCommand('take', { lua: TAKE_LUA });
const pool = new Pool(process.env.UPSTREAM ?? '', { connections: 128 });

/** The obvious first version with Nest: a guard that calls Redis for each request. */
@Injectable()
class LimitGuard implements CanActivate {
  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    if (request.headers['x-api-key'] !== process.env.KEY) throw new HttpException('No such key.', 401);
    const [, used = 0, , admitted, end = 0] = await redis.take(1, 'nest:limit', 1, 0, 1_000_000_000, -1);
    if (!admitted) throw new HttpException('Too many calls.', 429);
    void context
      .switchToHttp()
      .getResponse<FastifyReply>()
      .headers({
        'X-RateLimit-Limit': '1000000000',
        'X-RateLimit-Remaining': String(999_999_999 - used),
        'X-RateLimit-Reset': new Date(end).toISOString(),
        'X-Service-Tier': 'enterprise',
      });
    return true;
  }
}

@Controller()
class ProxyController {
  @Get('health/ready')
  ready(): object {
    return { status: 'ready' };
  }

  @All('v1/*')
  @UseGuards(LimitGuard)
  async forward(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const { host: _, connection: __, 'x-api-key': ___, ...headers } = request.headers;
    const response = await pool.request({ method: 'GET', path: request.url, headers });
    await reply.status(response.statusCode).headers(response.headers).send(response.body);
  }
}

@Module({ controllers: [ProxyController] })
class ProxyModule {}

async function start(): Promise<void> {
  const app = await NestFactory.create<NestFastifyApplication>(ProxyModule, new FastifyAdapter(), {
    logger: false,
  });
  await app.listen(Number(process.env.PORT), '127.0.0.1');
}

void start();
