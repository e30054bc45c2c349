import { Injectable, Logger } from '@nestjs/common';
import { GatewayConfig } from '../../config';
import type { Admitted } from '../admission/admission';
import type { DecidedRequest } from '../response/api-request';
import { sendProblem } from '../response/send';
import { Attempts, isRepeatable } from './attempts';
import { Exchange } from './exchange';
import { RequestSigner } from './request-signer';
import type { ServiceRequest } from './service-call';
import { unavailable } from './upstream-problem';
import type { UpstreamName } from './upstream';
import { Upstreams } from './upstreams';

/**
 * Forwards a request to the service of its endpoint, and the service's response to the client. Bodies are
 * never parsed.
 */
@Injectable()
export class Forwarder {
  private readonly logger = new Logger('proxy');

  constructor(
    private readonly config: GatewayConfig,
    private readonly upstreams: Upstreams,
    private readonly signer: RequestSigner,
  ) {}

  /** @param body complete, null without one */
  forward(call: DecidedRequest, admitted: Admitted, service: UpstreamName, body: Buffer | null): void {
    const upstream = this.upstreams.all[service];
    const address = upstream.pick(performance.now(), isRepeatable(call.request.method, body));
    if (!address) return sendProblem(call, unavailable());
    const sign = (): ServiceRequest => ({
      method: call.request.method ?? 'GET',
      path: call.request.url ?? '',
      headers: this.signer.headersFor(call, admitted, service),
      body,
    });
    const attempts = new Attempts(upstream, address, sign, (problem, origin) => {
      const { requestId } = call.correlation;
      this.logger.warn({ msg: problem.code, service, origin, requestId, err: problem.options.cause });
    });
    attempts.start(new Exchange(call, this.config.UPSTREAM_ANSWER_DEADLINE_MS, attempts));
  }
}
