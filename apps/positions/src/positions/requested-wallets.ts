import { TIER_LIMITS } from '@plimsoll/access';
import { Problem, TIERS, type Tier, invalidRequest, parseAddress } from '@plimsoll/contracts';
import type { Address } from 'viem';

/**
 * The wallets in `wallet`, each once.
 * @throws invalid_request for an invalid address, tier_limit_exceeded above the tier's cap: the list is never
 * clamped
 */
export function requestedWallets(text: string, tier: Tier): Address[] {
  const wallets = [...new Set(text.split(',').map((part) => parseAddress(part.trim(), 'wallet')))];
  const cap = TIER_LIMITS[tier].walletsPerQuery;
  if (wallets.length <= cap) return wallets;
  const lifting = TIERS.find((other) => TIER_LIMITS[other].walletsPerQuery >= wallets.length);
  const remedy = lifting
    ? `Name fewer, or move to the ${lifting} tier, which takes ${TIER_LIMITS[lifting].walletsPerQuery}.`
    : 'Name fewer and send several requests.';
  throw new Problem(
    'tier_limit_exceeded',
    `${wallets.length} wallets were named; one request accepts ${cap} on the ${tier} tier. ${remedy}`,
    {
      errors: [{ field: 'wallet', code: 'tier_limit_exceeded', message: remedy }],
      ...(lifting && { requiredTier: lifting }),
    },
  );
}

/**
 * The wallets to which a request about the watched wallets is limited. Undefined if it names none.
 * @throws invalid_request when a position is named too
 */
export function selectedWallets(
  { wallet, positionId }: { wallet?: string; positionId?: string },
  tier: Tier,
): Address[] | undefined {
  if (wallet === undefined) return undefined;
  if (positionId === undefined) return requestedWallets(wallet, tier);
  const message = 'Name either wallet or positionId.';
  throw invalidRequest([{ field: 'positionId', code: 'unexpected', message }]);
}
