import type { DemoFile } from './demo-file';
import { formatSeconds } from '../processes/progress';
import { DEMO_TIERS } from '../settings/demo-tiers';

/**
 * Returns the text for users when all parts are ready.
 * @param memoryMb resident memory of all processes, shared memory counted once
 */
export function summary(
  { baseUrl, streamsUrl, keys, logIns, wallets, rpc }: DemoFile,
  readyMs: number,
  memoryMb: number,
): string {
  const [wallet] = wallets;
  const position = wallet === undefined ? '' : `?wallet=${wallet}`;
  return [
    '',
    `Ready in ${formatSeconds(readyMs)}, with ${memoryMb.toFixed(0)} MB of memory.`,
    '',
    `  API      ${baseUrl}`,
    `  Portal   ${new URL('/portal', baseUrl).href}`,
    `  Mails    ${new URL('/portal/mail', baseUrl).href}`,
    `  Market   ${new URL('/portal/local-market', baseUrl).href}`,
    `  Streams  ${streamsUrl}/positions, /alerts, /whales`,
    ...Object.entries(rpc).map(([chainId, url]) => `  ${`Chain ${chainId}`.padEnd(8)} ${url}`),
    ...DEMO_TIERS.map((tier) => `  ${`Key ${tier}`.padEnd(15)} ${keys[tier]}`),
    ...DEMO_TIERS.map((tier) => `  ${`Log in ${tier}`.padEnd(17)} ${logIns[tier]}`),
    ...(wallet === undefined
      ? []
      : [`  Demo wallet     ${wallet} (one of ${wallets.length}, all in .local/demo.json)`]),
    '',
    `  curl -H 'x-api-key: ${keys.pro}' '${baseUrl}/positions${position}'`,
    '  npm run market -- shock ETH -30',
    '',
  ].join('\n');
}
