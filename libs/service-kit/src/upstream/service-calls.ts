import { Injectable } from '@nestjs/common';
import { type Service, mayCall } from '@plimsoll/access';
import { CALL_HEADER, IDENTITY_HEADER } from '@plimsoll/contracts';
import { Agent, type Dispatcher } from 'undici';
import { ServiceConfig } from '../config/service.config';
import { ServiceIdentity } from '../identity/service-identity';
import { ISSUER } from '../identity/signed-identity';
import { readUpstreamTls } from './upstream-tls';

/** The signed identity of the current request, passed on unchanged. */
export interface Caller {
  signedIdentity: string;
}

/** The identity and the connections with which this service calls others. */
@Injectable()
export class ServiceCalls {
  readonly dispatcher: Dispatcher;

  constructor(
    config: ServiceConfig,
    private readonly identity: ServiceIdentity,
  ) {
    this.dispatcher = new Agent({ connect: { ...readUpstreamTls(config) } });
  }

  /** Returns the caller for work that no request caused: this service. It is valid for 30 s. */
  ownCaller(nowMs: number): Caller {
    return { signedIdentity: this.identity.signOwn(nowMs) };
  }

  /**
   * Returns the identity headers of one request. @param path with its query
   * @throws Error for a request that the other service would reject
   */
  headers(to: Service, method: string, path: string, { signedIdentity }: Caller): Record<string, string> {
    const { service } = this.identity;
    if (service !== ISSUER && !mayCall(service as Service, to, method, path.split('?', 1)[0] ?? ''))
      throw new Error(`libs/access/src/service-calls.ts has no ${method} ${path} from ${service} to ${to}`);
    return {
      [IDENTITY_HEADER]: signedIdentity,
      [CALL_HEADER]: this.identity.prove(to, method, path, signedIdentity, Date.now()),
    };
  }
}
