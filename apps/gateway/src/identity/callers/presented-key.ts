import { Problem } from '@plimsoll/contracts';

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
