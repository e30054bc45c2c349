/** Why a request had no response, in stable words without internal details. */
export const SEND_ERRORS = {
  timeout: 'No response within 10 seconds. Respond first and do the work afterwards.',
  unsafe_address: 'The URL resolves to an address that webhooks may not use. Use a public HTTPS address.',
  dns_not_found: 'The host name has no address. Check the URL and its DNS records.',
  dns_failed: 'The DNS servers of the host name did not respond. Check them.',
  connection_refused: 'The connection was refused. Check that the endpoint listens on this port.',
  connection_reset:
    'The connection was closed before a response arrived. Check the endpoint and the proxies in front of it.',
  unreachable: 'The address cannot be reached. Check routing and firewall.',
  tls: 'TLS failed. Check the certificate: valid, for this name, with its whole chain.',
  invalid_response: 'The received data is not an HTTP response. Check what listens on this port.',
  interrupted: 'The service stopped before the response arrived. It will try again.',
  failed: 'The request failed. Check the endpoint.',
} as const;
export type SendErrorCode = keyof typeof SEND_ERRORS;

/** A request without a response. */
export class SendError extends Error {
  constructor(
    readonly code: SendErrorCode,
    options?: ErrorOptions,
  ) {
    super(SEND_ERRORS[code], options);
    this.name = 'SendError';
  }
}

const BY_CODE: Record<string, SendErrorCode> = {
  ECONNREFUSED: 'connection_refused',
  ECONNRESET: 'connection_reset',
  EPIPE: 'connection_reset',
  UND_ERR_SOCKET: 'connection_reset',
  EHOSTUNREACH: 'unreachable',
  ENETUNREACH: 'unreachable',
  EADDRNOTAVAIL: 'unreachable',
  EACCES: 'unreachable',
  ETIMEDOUT: 'timeout',
  UND_ERR_CONNECT_TIMEOUT: 'timeout',
  UND_ERR_HEADERS_TIMEOUT: 'timeout',
  UND_ERR_BODY_TIMEOUT: 'timeout',
  UND_ERR_HEADERS_OVERFLOW: 'invalid_response',
  EPROTO: 'tls',
};

/** Returns the SendError for a failure of undici, of a socket or of TLS. */
export function toSendError(error: unknown): SendError {
  if (error instanceof SendError) return error;
  const { code = '', cause } = error as { code?: string; cause?: unknown };
  const known = BY_CODE[code];
  if (known) return new SendError(known, { cause: error });
  if (code.startsWith('HPE_') || (error as Error).name === 'HTTPParserError')
    return new SendError('invalid_response', { cause: error });
  if (/CERT|TLS|SSL|SIGNATURE|SELF_SIGNED/.test(code)) return new SendError('tls', { cause: error });
  if (error instanceof AggregateError && error.errors.length > 0) return toSendError(error.errors[0]);
  if (cause instanceof Error) return toSendError(cause);
  return new SendError('failed', { cause: error });
}
