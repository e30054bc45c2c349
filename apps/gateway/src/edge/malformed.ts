import type { IncomingMessage } from 'node:http';
import { Problem } from '@plimsoll/contracts';
import { REQUEST_TIMEOUT } from '../pipeline/body/request-bodies';

const MAX_HEADERS = 100;

const DETAILS: Record<string, string> = {
  HPE_HEADER_OVERFLOW: 'The headers are larger than 16 KiB. Send fewer or shorter ones.',
  UPGRADE_WITH_BODY: 'Send a request with a body without an Upgrade header.',
};
const TOO_MANY_HEADERS = new Problem(
  'invalid_request',
  `There are more than ${MAX_HEADERS} headers. Send fewer.`,
);
const TRANSFER_ENCODING = 'transfer-encoding';
const WITH_FRAGMENT = new Problem('invalid_request', 'Send the path and query without a fragment (#).');
const NOT_CHUNKED = new Problem('invalid_request', 'Send Transfer-Encoding: chunked, or a Content-Length.');
const NOT_ONE_HOST = new Problem('invalid_request', 'Send exactly one Host header.');

/** Returns the problem for an error of the HTTP parser. */
export function malformedProblem(code: string | undefined): Problem {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return REQUEST_TIMEOUT;
  const detail = DETAILS[code ?? ''] ?? 'This is not a valid HTTP/1.1 request. Correct it and send it again.';
  return new Problem('invalid_request', detail);
}

/** Returns the problem of a request that the parser accepts but that is invalid, or undefined. */
export function requestProblem({
  url,
  rawHeaders,
}: Pick<IncomingMessage, 'url' | 'rawHeaders'>): Problem | undefined {
  if (url?.includes('#')) return WITH_FRAGMENT;
  if (rawHeaders.length > MAX_HEADERS * 2) return TOO_MANY_HEADERS;
  let hosts = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] ?? '';
    if (name.length === 4 && name.toLowerCase() === 'host') hosts += 1;
    const isEncoding = name.length === TRANSFER_ENCODING.length && name.toLowerCase() === TRANSFER_ENCODING;
    if (isEncoding && rawHeaders[at + 1]?.toLowerCase() !== 'chunked') return NOT_CHUNKED;
  }
  return hosts === 1 ? undefined : NOT_ONE_HOST;
}
