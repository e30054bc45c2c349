import { WEBHOOK_HEADERS, type WebhookEnvelope, checksumAddress } from '@plimsoll/contracts';
import type { AnvilRpc } from '@plimsoll/devnet';
import type { Receiver } from '@plimsoll/testing';
import { numberToHex } from 'viem';
import type { Platform } from '../../test/platform/start-platform';

const WAD = 10n ** 18n;
/** getUserAccountData(address). The health factor is the last of six words. */
const ACCOUNT_DATA = '0xbf92857c';

/** An alert.created of type liquidation_risk about a health factor below 1. */
export interface Alarm {
  wallet: string;
  /** performance.now() */
  receivedAtMs: number;
}

/** A block, or the state after the transactions that wait for the next one. */
type At = number | 'latest' | 'pending';

/** Returns the health factor of each wallet, by the protocol's own account data. */
export async function healthFactors(
  rpc: AnvilRpc,
  { devnet, wallets }: Platform,
  at: At = 'latest',
): Promise<Map<string, bigint>> {
  const tag = typeof at === 'number' ? numberToHex(at) : at;
  const entries = wallets.map(async ({ address }): Promise<[string, bigint]> => {
    const data = ACCOUNT_DATA + address.slice(2).toLowerCase().padStart(64, '0');
    const words = await rpc.request<string>('eth_call', [{ to: devnet.pool, data }, tag]);
    return [checksumAddress(address), BigInt(`0x${words.slice(-64)}`)];
  });
  return new Map(await Promise.all(entries));
}

/** Returns the wallets that can be liquidated. */
export async function walletsBelowOne(rpc: AnvilRpc, platform: Platform, at?: At): Promise<Set<string>> {
  const found = await healthFactors(rpc, platform, at);
  return new Set([...found].flatMap(([wallet, healthFactor]) => (healthFactor < WAD ? [wallet] : [])));
}

/** Returns the alarms that arrived after a time. A `collateral_drop` is another alert and is left out. */
export function alarmsSince(receiver: Receiver, sinceMs: number): Alarm[] {
  return receiver.requests.flatMap(({ headers, body, receivedAtMs }) => {
    if (receivedAtMs < sinceMs || headers[WEBHOOK_HEADERS.event] !== 'alert.created') return [];
    const { data } = JSON.parse(body.toString()) as WebhookEnvelope<'alert.created'>;
    const healthFactor = data.position?.healthFactor ?? Infinity;
    const isAlarm = data.type === 'liquidation_risk' && healthFactor < 1;
    return data.position && isAlarm ? [{ wallet: data.position.wallet, receivedAtMs }] : [];
  });
}

export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
