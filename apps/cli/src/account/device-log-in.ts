import { hostname } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { ApiError, ConnectionError, TimeoutError } from '@plimsoll/sdk';
import type { Context } from '../context';
import { EXIT, Failure } from '../failure';
import { AccountApi, type Schemas } from './account-api';

type Key = Schemas['CreatedKey']['key'];

/** Seconds that RFC 8628 adds to the interval. */
const SLOWER_MS = 5_000;
const MOST_NAME_CHARS = 100;

/** Name and permissions of the key. */
export interface DeviceOptions {
  name?: string;
  scope?: string[];
}

/**
 * Gets a key that a signed-in user approves in a browser.
 * @throws Failure when the user denies it, or the code expires
 */
export async function logInByDevice(context: Context, { name, scope }: DeviceOptions): Promise<Key> {
  const account = new AccountApi(context.statedUrl, context);
  const codes = await account.send<Schemas['DeviceCodes']>('POST', 'device/code', {
    name: name ?? `plimsoll on ${hostname()}`.slice(0, MOST_NAME_CHARS),
    ...(scope && { scopes: scope }),
  });
  const minutes = Math.round(codes.expiresInSeconds / 60);
  context.note(
    `Open ${codes.verificationUri} and enter the code ${codes.userCode} within ${minutes} minutes.\nThe address with the code: ${codes.verificationUriComplete}`,
  );
  return waitForKey(account, codes);
}

async function waitForKey(
  account: AccountApi,
  { deviceCode, intervalSeconds, expiresInSeconds }: Schemas['DeviceCodes'],
): Promise<Key> {
  let intervalMs = intervalSeconds * 1_000;
  const endMs = Date.now() + expiresInSeconds * 1_000;
  while (Date.now() < endMs) {
    await pause(intervalMs);
    try {
      // Not repeated by the SDK, because the next interval repeats it.
      const options = { maxRetries: 0 };
      const { key } = await account.send<Schemas['CreatedKey']>(
        'POST',
        'device/token',
        { deviceCode },
        options,
      );
      return key;
    } catch (error) {
      if (isPending(error)) continue;
      if (!isTooFast(error)) throw reasonOf(error);
      intervalMs += SLOWER_MS;
    }
  }
  throw EXPIRED;
}

const EXPIRED = new Failure(
  EXIT.failed,
  'expired_token',
  'The code was used or has expired. Run plimsoll login --device again.',
);

const isPending = (error: unknown): boolean =>
  error instanceof ApiError && error.code === 'authorization_pending';

/** RFC 8628 also slows down after a failed connection. */
function isTooFast(error: unknown): boolean {
  if (error instanceof ConnectionError || error instanceof TimeoutError) return true;
  if (!(error instanceof ApiError)) return false;
  return error.code === 'slow_down' || error.status === 429 || error.status >= 500;
}

function reasonOf(error: unknown): unknown {
  const code = error instanceof ApiError ? error.code : '';
  if (code === 'expired_token') return EXPIRED;
  if (code !== 'access_denied') return error;
  return new Failure(EXIT.forbidden, code, 'The request for a key was denied.');
}
