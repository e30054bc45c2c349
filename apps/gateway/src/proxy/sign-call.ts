import { Injectable } from '@nestjs/common';
import { TIER_LIMITS } from '@plimsoll/access';
import { IDENTITY_HEADER, REQUEST_ID_HEADER, TRACEPARENT_HEADER } from '@plimsoll/contracts';
import { type IdentityKey, parseIdentityKeys, signIdentity } from '@plimsoll/service-kit';
import { GatewayConfig } from '../config';
import type { Admitted } from '../edge/admission';
import type { Call } from '../edge/call';
import { requestHeaders } from './forwarded-headers';

/** Makes the headers that a service gets: the client's, and who calls, under a signature. */
@Injectable()
export class CallSigner {
  private readonly key: IdentityKey;

  constructor(config: GatewayConfig) {
    const [first] = parseIdentityKeys(config.IDENTITY_KEYS);
    if (!first) throw new Error('IDENTITY_KEYS has no key to sign with.');
    this.key = first;
  }

  headersFor({ request, correlation }: Call, { key, address }: Admitted): string[] {
    const { wallets, webhooks } = TIER_LIMITS[key.tier];
    const identity = signIdentity(
      {
        accountId: key.accountId,
        keyId: key.keyId,
        tier: key.tier,
        scopes: key.scopes,
        limits: { wallets, webhooks },
        requestId: correlation.requestId,
        issuedAt: Math.floor(Date.now() / 1_000),
      },
      this.key,
    );
    const headers = requestHeaders(request.rawHeaders);
    headers.push(IDENTITY_HEADER, identity, 'x-forwarded-for', address);
    headers.push(REQUEST_ID_HEADER, correlation.requestId, TRACEPARENT_HEADER, correlation.traceparent);
    return headers;
  }
}
