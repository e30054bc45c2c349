import { Problem } from '@plimsoll/contracts';

const DETAILS: Record<string, string> = {
  HPE_HEADER_OVERFLOW: 'The headers are larger than 16 KiB. Send fewer or shorter ones.',
  ERR_HTTP_REQUEST_TIMEOUT: 'The request did not arrive whole in time. Send it again.',
};

/** What an error of the HTTP parser is to the client. */
export function malformedProblem(code: string | undefined): Problem {
  const detail = DETAILS[code ?? ''] ?? 'This is not a valid HTTP/1.1 request. Correct it and send it again.';
  return new Problem('invalid_request', detail);
}
