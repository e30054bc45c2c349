import { type Tier, invalidRequest } from '@plimsoll/contracts';
import type { Address } from 'viem';
import { requestedWallets } from '../positions/requested-wallets';

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
