import { Injectable } from '@nestjs/common';
import { TIER_LIMITS, audiencesOf } from '@plimsoll/access';
import { CALL_HEADER, IDENTITY_HEADER, REQUEST_ID_HEADER, TRACEPARENT_HEADER } from '@plimsoll/contracts';
import { ServiceIdentity } from '@plimsoll/service-kit';
import type { Admitted, TicketHolder } from '../admission/admission';
import type { ApiRequest } from '../response/api-request';
import type { Caller } from '../../identity';
import { requestHeaders } from './forwarded-headers';
import type { UpstreamName } from './upstream';

/** An identity is sent for this long, so that a service can pass it on for 20 of its 30 s. */
const SENT_FOR_MS = 10_000;

interface Signed {
  identity: string;
  untilMs: number;
}

/** False also after the clock was set back. */
const isWithin = ({ untilMs }: Signed, nowMs: number): boolean =>
  nowMs < untilMs && nowMs >= untilMs - SENT_FOR_MS;

/** Creates the request headers for a service: the client's, the signed caller, and the proof of this request. */
@Injectable()
export class RequestSigner {
  /** A signature costs more than the rest of the gateway's work on a request. */
  private readonly signed = new WeakMap<Caller, Map<UpstreamName, Signed>>();

  constructor(private readonly identity: ServiceIdentity) {}

  headersFor(
    { request, correlation }: ApiRequest,
    { key, address }: Admitted | TicketHolder,
    service: UpstreamName,
  ): string[] {
    const headers = requestHeaders(request.rawHeaders);
    if (key) {
      const nowMs = Date.now();
      const { method = 'GET', url = '' } = request;
      const identity = this.identityOf(key, service, nowMs);
      const proof = this.identity.prove(service, method, url, identity, nowMs);
      headers.push(IDENTITY_HEADER, identity, CALL_HEADER, proof);
    }
    headers.push('x-forwarded-for', address);
    headers.push(REQUEST_ID_HEADER, correlation.requestId, TRACEPARENT_HEADER, correlation.traceparent);
    return headers;
  }

  private identityOf(key: Caller, service: UpstreamName, nowMs: number): string {
    const ofCaller = this.signed.get(key) ?? new Map<UpstreamName, Signed>();
    this.signed.set(key, ofCaller);
    const known = ofCaller.get(service);
    if (known && isWithin(known, nowMs) && this.identity.isCurrent(known.identity, nowMs))
      return known.identity;
    const { accountId, keyId, tier, scopes } = key;
    const { wallets, webhooks } = TIER_LIMITS[tier];
    const limits = { wallets, webhooks };
    const audiences = audiencesOf(service);
    const identity = this.identity.sign({ accountId, keyId, tier, scopes, limits, audiences }, nowMs);
    ofCaller.set(service, { identity, untilMs: nowMs + SENT_FOR_MS });
    return identity;
  }
}
