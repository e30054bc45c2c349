import { CALL_HEADER, IDENTITY_HEADER } from '@plimsoll/contracts';

/** Headers of one connection, and the identity of the live gateway, which must not reach a test service. */
const NOT_PASSED: ReadonlySet<string> = new Set([
  'connection',
  'host',
  'keep-alive',
  'transfer-encoding',
  'upgrade',
  IDENTITY_HEADER,
  CALL_HEADER,
]);

/** Returns the headers that are passed on, as a flat list. */
export function passedHeaders(rawHeaders: readonly string[]): string[] {
  const passed: string[] = [];
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    const [name = '', value = ''] = rawHeaders.slice(at, at + 2);
    if (!NOT_PASSED.has(name.toLowerCase())) passed.push(name, value);
  }
  return passed;
}
