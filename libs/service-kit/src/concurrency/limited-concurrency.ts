import {
  type CallHandler,
  type ExecutionContext,
  Injectable,
  type NestInterceptor,
  SetMetadata,
  UseInterceptors,
  applyDecorators,
} from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { type Identity, Problem, type Tier } from '@plimsoll/contracts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Observable, finalize } from 'rxjs';
import { AccountSlots } from './account-slots';
import type { SlotLimits } from './fair-slots';

const LIMIT = 'plimsoll:limited-concurrency';

/** The limit of a route. */
interface Limit {
  group: string;
  /** Requests of the group that run in the process. Undefined: as many as the accounts have. */
  shared: SlotLimits | undefined;
}

/** Requests of a group that one account may run at the same time. */
const CONCURRENT: Readonly<Record<Tier, number>> = { open: 4, pro: 4, business: 4, enterprise: 16 };

@Injectable()
class LimitedConcurrencyInterceptor implements NestInterceptor {
  constructor(
    private readonly reflector: Reflector,
    private readonly slots: AccountSlots,
  ) {}

  async intercept(context: ExecutionContext, next: CallHandler): Promise<Observable<unknown>> {
    const http = context.switchToHttp();
    const { identity } = http.getRequest<FastifyRequest & { identity?: Identity }>();
    if (!identity)
      throw new Problem('internal', 'This route was called without an identity. Report the request id.');
    const { group, shared } = this.reflector.get<Limit>(LIMIT, context.getHandler());
    const left = new AbortController();
    http.getResponse<FastifyReply>().raw.once('close', () => left.abort());
    const { accountId, tier } = identity;
    const giveBack = await this.slots.acquire(`${group} ${accountId}`, CONCURRENT[tier], left.signal);
    if (shared === undefined) return next.handle().pipe(finalize(giveBack));
    try {
      const endTurn = await this.slots.acquireShared(group, shared, accountId, left.signal);
      return next.handle().pipe(finalize(endTurn), finalize(giveBack));
    } catch (error) {
      giveBack();
      throw error;
    }
  }
}

/**
 * For handlers with long calculations. One account runs at most 4 requests of the group at the same time
 * (enterprise 16), over all routes of the group. More requests wait up to 5 s and then receive 503
 * upstream_unavailable with Retry-After.
 *
 * The count is per process, because it protects the process: its workers and the other accounts that share
 * them. A second instance adds the same capacity. A count over all instances would need leases for the slots
 * of killed processes, two Redis commands per request, and a rule for an unavailable Redis.
 * @param group name that the routes share, for example `simulations`
 * @param shared requests of the group that run in the process. Waiting accounts take fair turns. It is
 * the same for all routes of the group. Set it where the requests of one account would slow down the others.
 */
export const LimitedConcurrency = (group: string, shared?: SlotLimits): MethodDecorator =>
  applyDecorators(
    SetMetadata(LIMIT, { group, shared } satisfies Limit),
    UseInterceptors(LimitedConcurrencyInterceptor),
  );
