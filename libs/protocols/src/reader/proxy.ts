import type { ProxyKind } from '@plimsoll/contracts';
import type { Address } from 'viem';

/** A contract that holds positions for a wallet. */
export interface Proxy {
  /**
   * - ds-proxy: of the proxy registry of Maker, one a wallet
   * - instadapp: a smart account of Instadapp in which the wallet is an authority
   * - summer: a smart account (DPM) of Summer.fi that the wallet owns
   */
  kind: ProxyKind;
  /** In lower case. */
  address: Address;
}

/** Separates the sub-id of a position from the proxy that holds it. */
const SEPARATOR = '@';

/** The sub-id of a position of a wallet that one of its proxies holds. */
export function proxiedSubId(subId: string, proxy: Address): string {
  return `${subId}${SEPARATOR}${proxy}`;
}

/** Whether a sub-id is of a position that a proxy holds. */
export function isProxiedSubId(subId: string): boolean {
  return subId.includes(SEPARATOR);
}

/** The part of a sub-id that the protocol itself uses. */
export function ownSubId(subId: string): string {
  return subId.split(SEPARATOR)[0]!;
}

/** All positions of all proxies of a wallet. */
export const ALL_PROXIES = SEPARATOR;

/**
 * Returns whether an unreadable position makes another one unreadable. That of a proxy includes all positions
 * behind it, and ALL_PROXIES includes all that any proxy holds.
 */
export function coversSubId(unreadable: string, subId: string): boolean {
  return unreadable === subId || (unreadable.startsWith(SEPARATOR) && subId.includes(unreadable));
}
