import { type StreamWhale, type WhaleV1, checksumAddress, unreadEffect } from '@plimsoll/contracts';
import type { FilterSubject } from './stream-filter';

/** Returns `data` of the whales stream: the activity and whether its block is still part of the chain. */
export function streamWhale({ activityId, ...event }: WhaleV1): StreamWhale {
  return {
    id: activityId,
    // Events of earlier releases have none.
    counterpartyLabel: null,
    ...unreadEffect('not_read'),
    ...event,
    wallet: checksumAddress(event.wallet),
    counterparty: event.counterparty === null ? null : checksumAddress(event.counterparty),
    assetAddress: checksumAddress(event.assetAddress),
  };
}

/**
 * A move has no health factor and is not a position, so filters on these never match. minUsd compares its
 * value.
 */
export function whaleSubject({ activityId, wallet, protocol, chainId, usdValue }: WhaleV1): FilterSubject {
  const position = { id: activityId, wallet, protocol, chainId, healthFactor: null, collateralUsd: usdValue };
  return { position, severity: null };
}
