import { Injectable } from '@nestjs/common';
import { hashApiKey, isWellFormedApiKey } from '@plimsoll/access';
import { Problem } from '@plimsoll/contracts';
import type { Caller } from './caller';
import { KeyLookup } from './key-lookup';
import { LiveCallers } from './live-callers';
import { AccountChanges } from '../changes/account-changes';

const INVALID = new Problem(
  'invalid_api_key',
  'This API key is unknown, revoked or expired. Check that it was copied whole, or create another.',
);
/** Finds the caller of a presented key. */
@Injectable()
export class ApiKeys {
  private readonly callers: LiveCallers;

  constructor(lookup: KeyLookup, changes: AccountChanges) {
    this.callers = new LiveCallers(changes, (hash) => lookup.find(hash), INVALID);
  }

  /**
   * Immediate for a cached key.
   * @returns the caller, or the problem: unknown, revoked, expired, or not verifiable now
   */
  authenticate(key: string, mayGuess: () => boolean): Caller | Problem | Promise<Caller | Problem> {
    const hash = hashApiKey(key);
    // A cached key was well formed, so its checksum need not be computed again.
    return this.callers.peek(hash) ?? (isWellFormedApiKey(key) ? this.callers.get(hash, mayGuess) : INVALID);
  }
}

const HOW = 'Send your API key in x-api-key, or as Authorization: Bearer <key>.';

/**
 * Returns the API key of a request, read from its raw headers, because repeated headers must not hide a
 * second key.
 * @returns the key as sent, or the problem: none, or two different ones
 */
export function presentedKey(rawHeaders: readonly string[]): string | Problem {
  let found: string | undefined;
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    const key = keyIn(rawHeaders[at] ?? '', rawHeaders[at + 1] ?? '');
    if (key === undefined || key === found) continue;
    if (found !== undefined) {
      return new Problem('invalid_api_key', `Two API keys were sent and they differ. ${HOW} Send one.`);
    }
    found = key;
  }
  return found ?? new Problem('missing_api_key', HOW);
}

function keyIn(name: string, value: string): string | undefined {
  if (name.length === 9 && name.toLowerCase() === 'x-api-key') return value.trim();
  if (name.length === 13 && name.toLowerCase() === 'authorization')
    return /^bearer +(\S+) *$/i.exec(value)?.[1];
  return undefined;
}
