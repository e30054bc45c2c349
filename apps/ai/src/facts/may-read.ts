import { matchEndpoint } from '@plimsoll/access';
import { type Identity, TIERS } from '@plimsoll/contracts';

/** Records that a lower tier does not get by asking an AI for them; figures worked out of positions are part of its answers. */
const RECORDS = /^\/v1\/(incidents|whales|automation|analytics)\b/;

/**
 * Why a caller may not read a path; null: it may. A key gets nothing in an answer that the gateway would refuse it: the
 * services behind it do not look at scopes and tiers.
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
