import { Readable } from 'node:stream';
import { Injectable, Logger } from '@nestjs/common';
import { GatewayConfig } from '../../config';
import { announcedBytes } from '../body/body-headers';
import type { Admitted } from '../admission/admission';
import type { DecidedRequest } from '../response/api-request';
import { sendProblem } from '../response/send';
import { headLines } from '../response/head';
import type { ServiceRequest } from '../http1/service-call';
import { Attempts, isRepeatable } from './attempts';
import { Exchange } from './exchange';
import { RequestSigner } from './request-signer';
import { unavailable } from './upstream-problem';
import { type UpstreamName, Upstreams } from './upstreams';

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
    const request: ServiceRequest = {
      method: call.request.method ?? 'GET',
      path: call.request.url ?? '',
      lines: headLines([...this.signer.headersFor(call, admitted), ...lengthOf(call, body)]),
      body: body && Readable.from([body]),
      bodyLength: body?.length ?? announcedBytes(call.request),
    };
    const attempts = new Attempts(upstream, address, request, (problem, origin) => {
      const { requestId } = call.correlation;
      this.logger.warn({ msg: problem.code, service, origin, requestId, err: problem.options.cause });
    });
    attempts.start(new Exchange(call, this.config.UPSTREAM_ANSWER_DEADLINE_MS, attempts));
  }
}

/** A body in chunks gets the length that is known now. */
function lengthOf({ request }: DecidedRequest, body: Buffer | null): string[] {
  const isChunked = body !== null && announcedBytes(request) === undefined;
  return isChunked ? ['content-length', String(body.length)] : [];
}
