import { matchEndpoint } from '@plimsoll/access';
import { type Identity, Problem, STREAMS, type StreamName, tierIncludes } from '@plimsoll/contracts';

/** A request that may become a stream. */
export interface AdmittedUpgrade {
  stream: StreamName;
  identity: Identity;
}

/**
 * Tier and scope are checked here again, because a load balancer may send upgrades past the gateway.
 * @param path without its query
 * @param identity null when the request has no valid signed identity
 * @throws Problem to send instead of the upgrade
 */
export function authorizeUpgrade(path: string, identity: Identity | null): AdmittedUpgrade {
  const match = matchEndpoint('GET', path);
  const stream = STREAMS.find((name) => path === `/v1/streams/${name}`);
  if (match.kind !== 'endpoint' || !stream) {
    throw new Problem(
      'route_not_found',
      `There is no such stream. Connect to /v1/streams/${STREAMS.join(' or ')}.`,
    );
  }
  const { tier, scope } = match.endpoint;
  if (!identity) {
    throw new Problem('missing_api_key', 'Connect through the gateway with an API key in x-api-key.');
  }
  if (!tierIncludes(identity.tier, tier)) {
    throw new Problem('tier_required', `This stream needs the ${tier} tier. Upgrade the account.`, {
      requiredTier: tier,
    });
  }
  if (scope && !identity.scopes.includes(scope)) {
    throw new Problem('scope_required', `This stream needs the scope ${scope}. Use a key that has it.`);
  }
  return { stream, identity };
}
