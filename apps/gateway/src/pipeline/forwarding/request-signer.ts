import { Injectable } from '@nestjs/common';
import { TIER_LIMITS } from '@plimsoll/access';
import { IDENTITY_HEADER, REQUEST_ID_HEADER, TRACEPARENT_HEADER } from '@plimsoll/contracts';
import { type IdentityKey, IdentitySigner, parseIdentityKeys } from '@plimsoll/service-kit';
import { GatewayConfig } from '../../config';
import type { Admitted, TicketHolder } from '../admission/admission';
import type { ApiRequest } from '../response/api-request';
import type { Caller } from '../../identity';
import { requestHeaders } from './forwarded-headers';

/** Creates the request headers for a service: the client's, and the signed caller. */
@Injectable()
export class RequestSigner {
  private readonly key: IdentityKey;
  private readonly signers = new WeakMap<Caller, IdentitySigner>();

  constructor(config: GatewayConfig) {
    const [first] = parseIdentityKeys(config.IDENTITY_KEYS);
    if (!first) throw new Error('IDENTITY_KEYS has no key to sign with.');
    this.key = first;
  }

  headersFor({ request, correlation }: ApiRequest, { key, address }: Admitted | TicketHolder): string[] {
    const headers = requestHeaders(request.rawHeaders);
    if (key) headers.push(IDENTITY_HEADER, this.identityOf(key, correlation.requestId));
    headers.push('x-forwarded-for', address);
    headers.push(REQUEST_ID_HEADER, correlation.requestId, TRACEPARENT_HEADER, correlation.traceparent);
    return headers;
  }

  private identityOf(key: Caller, requestId: string): string {
    let signer = this.signers.get(key);
    if (!signer) {
      const { accountId, keyId, tier, scopes } = key;
      const { wallets, webhooks } = TIER_LIMITS[tier];
      signer = new IdentitySigner(
        { accountId, keyId, tier, scopes, limits: { wallets, webhooks } },
        this.key,
      );
      this.signers.set(key, signer);
    }
    return signer.sign(requestId, Math.floor(Date.now() / 1_000));
  }
}
