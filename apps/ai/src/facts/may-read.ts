import { matchEndpoint } from '@plimsoll/access';
import { type Identity, TIERS } from '@plimsoll/contracts';

/**
 * Records that a lower tier must not get through the AI. Figures computed from positions are part of its
 * answers.
 */
const RECORDS = /^\/v1\/(incidents|whales|automation|analytics)\b/;

/**
 * The reason why a caller may not read a path. Null: it may. The AI must not return data that the gateway
 * would refuse to the key, and the services check scopes and tiers only for requests of the gateway.
 * @param path with or without its query
 */
export function refusalOf({ scopes, tier }: Identity, method: string, path: string): string | null {
  const plain = path.split('?')[0] ?? path;
  const match = matchEndpoint(method, plain);
  if (match.kind !== 'endpoint') return 'There is no such call.';
  const { endpoint } = match;
  if (endpoint.scope !== null && !scopes.includes(endpoint.scope)) {
    return `The key lacks the scope ${endpoint.scope}.`;
  }
  if (RECORDS.test(plain) && TIERS.indexOf(tier) < TIERS.indexOf(endpoint.tier)) {
    return `It needs the ${endpoint.tier} tier.`;
  }
  return null;
}
