import { Problem } from '@plimsoll/contracts';

const HOW = 'Send your API key in x-api-key, or as Authorization: Bearer <key>.';

/**
 * The API key of a request, from its raw headers: repeated headers must not hide a second one.
 * @returns the key as it was sent, or the problem: none, or two that differ
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
