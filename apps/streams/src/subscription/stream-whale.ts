import { type StreamWhale, type WhaleV1, checksumAddress, unreadEffect } from '@plimsoll/contracts';
import type { FilterSubject } from './stream-filter';

/** `data` of the whales stream: the activity item, and whether it still holds (contracts.md, Streams). */
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

/** A move has no health factor and is no position: filters on these never fit; its value is what minUsd asks for. */
export function whaleSubject({ activityId, wallet, protocol, chainId, usdValue }: WhaleV1): FilterSubject {
  const position = { id: activityId, wallet, protocol, chainId, healthFactor: null, collateralUsd: usdValue };
  return { position, severity: null };
}
