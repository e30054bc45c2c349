import type { ReceiptKey } from '@plimsoll/sdk/verify';
import { EXIT, Failure } from '../failure';
import { readText } from './read-text';

const WELL_KNOWN = '/.well-known/plimsoll-keys.json';
const DEFAULT_SERVER = 'http://127.0.0.1:4000';
const DEFAULT_SECONDS = 30;
const PUBLIC_KEY = /^[A-Za-z0-9_-]{43}$/;

/**
 * Reads the published keys of receipts.
 * @param source a file or a URL. Undefined: the keys of the server
 * @throws Failure
 */
export async function readKeys(
  source: string | undefined,
  {
    server = DEFAULT_SERVER,
    seconds = DEFAULT_SECONDS,
  }: { server?: string | undefined; seconds?: number | undefined },
): Promise<ReceiptKey[]> {
  const from = source ?? URL.parse(WELL_KNOWN, server)?.href ?? server;
  const isUrl = /^https?:$/.test(URL.parse(from)?.protocol ?? '');
  const text = isUrl ? await download(from, seconds) : readText(from);
  const keys = keysOf(text);
  if (keys) return keys;
  throw new Failure(
    isUrl ? EXIT.unavailable : EXIT.usage,
    'keys_invalid',
    `${from} has no keys of receipts. Name another file or URL with --keys.`,
  );
}

async function download(url: string, seconds: number): Promise<string> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(seconds * 1_000) });
    if (response.ok) return await response.text();
    throw new Error(`status ${response.status}`);
  } catch (error) {
    throw new Failure(
      EXIT.unavailable,
      'keys_unavailable',
      `The keys cannot be read from ${url}: ${(error as Error).message}. Name a file or another URL with --keys.`,
    );
  }
}

function keysOf(text: string): ReceiptKey[] | null {
  try {
    const { keys } = JSON.parse(text) as { keys: unknown };
    return Array.isArray(keys) && keys.every(isKey) ? keys : null;
  } catch {
    return null;
  }
}

function isKey(value: unknown): value is ReceiptKey {
  const { id, publicKey, fromMs, untilMs } = (value ?? {}) as Partial<Record<keyof ReceiptKey, unknown>>;
  return (
    typeof id === 'string' &&
    typeof publicKey === 'string' &&
    PUBLIC_KEY.test(publicKey) &&
    Number.isSafeInteger(fromMs) &&
    (untilMs === null || Number.isSafeInteger(untilMs))
  );
}
