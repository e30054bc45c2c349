import { tmpdir } from 'node:os';
import path from 'node:path';
import { SERVICES, type Service, audiencesOf, createKeys, matchEndpoint, mayCall } from '@plimsoll/access';
import { CALL_HEADER, IDENTITY_HEADER, type Identity, SCOPES } from '@plimsoll/contracts';
import { ServiceConfig, ServiceIdentity } from '@plimsoll/service-kit';

/** A request that a test sends to a service as the gateway or as another service. */
export interface SignedRequest {
  service: string;
  method: string;
  /** With its query, exactly as it is sent. */
  path: string;
}

/**
 * A value of IDENTITY_KEYS_FOLDER: the keys of all services. Test files of one process share a folder, because
 * none of them learns when the process ends.
 */
export function testIdentityKeys(folder = path.join(tmpdir(), `plimsoll-identity-${process.pid}`)): string {
  createKeys(folder, [...SERVICES, ServiceConfig.service], Date.now());
  return folder;
}

/** The identity of a service among others with the same keys. @param formerKeys IDENTITY_FORMER_KEYS */
export function testServiceIdentity(identityKeys: string, name: string, formerKeys = ''): ServiceIdentity {
  class OfService extends ServiceConfig {
    static override readonly service = name;
  }
  const variables = { IDENTITY_KEYS_FOLDER: identityKeys, IDENTITY_FORMER_KEYS: formerKeys };
  return new ServiceIdentity(Object.assign(new OfService(), variables));
}

/** One for each folder and service, because deriving its keys costs more than a signature. */
const senders = new Map<string, ServiceIdentity>();

function sender(identityKeys: string, service: string): ServiceIdentity {
  const name = `${identityKeys} ${service}`;
  const known = senders.get(name) ?? testServiceIdentity(identityKeys, service);
  senders.set(name, known);
  return known;
}

/** Returns the service that sends such a request: the gateway, or for other paths a service that calls it. */
function senderOf({ service, method, path: target }: SignedRequest): string {
  const plain = target.split('?', 1)[0] ?? '';
  if (matchEndpoint(method, plain).kind === 'endpoint') return 'gateway';
  return SERVICES.find((each) => mayCall(each, service as Service, method, plain)) ?? 'gateway';
}

/**
 * The headers by which a service identifies the caller of one request. The default caller is an enterprise
 * account with every scope. A path that is no endpoint is requested by another service.
 */
export function identityHeaders(
  identityKeys: string,
  request: SignedRequest,
  accountId: string,
  over: Partial<Identity> = {},
): Record<string, string> {
  const { service, method, path: target } = request;
  const from = senderOf(request);
  const { issuedAt, requestId: _, ...changes } = over;
  const nowMs = issuedAt === undefined ? Date.now() : issuedAt * 1_000;
  const isKnown = SERVICES.some((each) => each === service);
  const caller = {
    accountId,
    keyId: 'key_test',
    tier: 'enterprise' as const,
    scopes: SCOPES,
    limits: { wallets: null, webhooks: null },
    ...changes,
    audiences: [from, ...(isKnown ? audiencesOf(service as Service) : [service])],
  };
  const identity = sender(identityKeys, 'gateway').sign(caller, nowMs);
  const proof = sender(identityKeys, from).prove(service, method, target, identity, nowMs);
  return { [IDENTITY_HEADER]: identity, [CALL_HEADER]: proof };
}
