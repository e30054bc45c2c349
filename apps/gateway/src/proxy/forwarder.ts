import { Injectable, Logger } from '@nestjs/common';
import { Problem } from '@plimsoll/contracts';
import { GatewayConfig } from '../config';
import type { Admitted } from '../edge/admission';
import type { DecidedCall } from '../edge/call';
import { sendProblem } from '../edge/send';
import { Exchange } from './exchange';
import { limitedBody } from './limited-body';
import { CallSigner } from './sign-call';
import { isUnreachable, unavailable } from './upstream-problem';
import { type UpstreamName, Upstreams } from './upstreams';

/** Hands a call to the service of its endpoint, and the service's answer to the client. Bodies are never parsed. */
@Injectable()
export class Forwarder {
  private readonly logger = new Logger('proxy');

  constructor(
    private readonly config: GatewayConfig,
    private readonly upstreams: Upstreams,
    private readonly signer: CallSigner,
  ) {}

  forward(call: DecidedCall, admitted: Admitted, service: UpstreamName): void {
    const body = limitedBody(call.request);
    if (body instanceof Problem) return sendProblem(call, body);
    const upstream = this.upstreams.all[service];
    const address = upstream.pick(performance.now());
    if (!address) return sendProblem(call, unavailable());
    const exchange = new Exchange(call, this.config.UPSTREAM_ANSWER_DEADLINE_MS, (problem) => {
      const { cause } = problem.options;
      if (isUnreachable(cause)) upstream.eject(address, performance.now());
      if (problem.status >= 500) {
        const { requestId } = call.correlation;
        this.logger.warn({ msg: problem.code, service, origin: address.origin, requestId, err: cause });
      }
    });
    address.pool.dispatch(
      {
        method: call.request.method as 'GET',
        path: call.request.url ?? '',
        headers: this.signer.headersFor(call, admitted),
        body,
      },
      exchange,
    );
  }
}
