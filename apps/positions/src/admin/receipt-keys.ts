import { parseArgs } from 'node:util';
import { createPool } from '@plimsoll/service-kit';
import type { ReceiptKeysConfig, ReceiptRotationConfig } from '../config';
import { ReceiptKeyStore, publishedKeys } from '../receipt-signing/receipt-keys';
import { ReceiptSecrets } from '../receipt-signing/receipt-secrets';

/** Longer than the keys are cached by the gateway and its clients, so that everyone knows the new key first. */
const DEFAULT_AFTER_S = 900;
const DEFAULT_OVERLAP_S = 86_400;
const MOST_S = 31_536_000;

export interface ReceiptKeysIo {
  /** Read late, so that wrong usage needs no configuration. */
  config(): ReceiptKeysConfig;
  rotation(): ReceiptRotationConfig;
  out(text: string): void;
  err(text: string): void;
}

/**
 * Runs `receipt-keys list` or `receipt-keys rotate`.
 * @returns the exit code: 0 done, 2 wrong usage
 * @throws ConfigError
 */
export async function runReceiptKeys(words: readonly string[], io: ReceiptKeysIo): Promise<number> {
  const [group, command, ...rest] = words;
  const isList = command === 'list' && rest.length === 0;
  const times = command === 'rotate' ? timesOf(rest) : null;
  if (group !== 'receipt-keys' || (!isList && !times)) {
    io.err('Use receipt-keys list or receipt-keys rotate. See: npm run admin -- --help');
    return 2;
  }
  const rotation = times && { ...times, ...io.rotation() };
  const { DATABASE_URL } = rotation ?? io.config();
  const pool = createPool(DATABASE_URL, 'positions', (error) => io.err(error.message));
  try {
    if (rotation) {
      const nowMs = Date.now();
      const fromMs = nowMs + rotation.afterS * 1_000;
      const { box } = await ReceiptSecrets.open(rotation);
      const store = new ReceiptKeyStore(pool, box!);
      await store.rotate({ nowMs, fromMs, overlapMs: rotation.overlapS * 1_000 });
    }
    const keys = (await publishedKeys(pool)).map(({ id, publicKey, fromMs, untilMs }) => ({
      id,
      publicKey,
      from: new Date(fromMs).toISOString(),
      until: untilMs === null ? null : new Date(untilMs).toISOString(),
    }));
    io.out(`${JSON.stringify({ keys, count: keys.length }, null, 2)}\n`);
    return 0;
  } finally {
    await pool.end();
  }
}

/** Null for wrong options. */
function timesOf(words: readonly string[]): { afterS: number; overlapS: number } | null {
  try {
    const { values } = parseArgs({
      args: [...words],
      options: { 'after-seconds': { type: 'string' }, 'overlap-seconds': { type: 'string' } },
    });
    const afterS = secondsOf(values['after-seconds'], DEFAULT_AFTER_S);
    const overlapS = secondsOf(values['overlap-seconds'], DEFAULT_OVERLAP_S);
    return afterS === null || overlapS === null ? null : { afterS, overlapS };
  } catch {
    return null;
  }
}

function secondsOf(text: string | undefined, byDefault: number): number | null {
  if (text === undefined) return byDefault;
  return /^\d+$/.test(text) && Number(text) <= MOST_S ? Number(text) : null;
}
