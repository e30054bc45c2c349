import { checksumAddress } from './address';
import { type AlertContent, NO_ALERT_CONTENT } from './alert-content';
import type { AlertV1 } from './events';
import { chainName, protocolName } from './names';

/**
 * Returns the figures of an alert. For an event of an earlier release without figures it derives them from
 * the position.
 */
export function alertContentOf({ content, position }: Pick<AlertV1, 'content' | 'position'>): AlertContent {
  if (content !== undefined) return { ...NO_ALERT_CONTENT, ...content };
  if (position === null) return NO_ALERT_CONTENT;
  const { band: _band, ...figures } = position;
  const { id, protocol, chainId, healthFactor } = position;
  const wallet = checksumAddress(position.wallet);
  return {
    ...NO_ALERT_CONTENT,
    wallet,
    protocol,
    protocolName: protocolName(protocol),
    chainId,
    chainName: chainName(chainId),
    positionId: id,
    position: { ...figures, wallet },
    healthFactor: { before: null, now: healthFactor, threshold: null },
    liquidationPriceReason: 'legs_unknown',
    remediesReason: 'legs_unknown',
  };
}
