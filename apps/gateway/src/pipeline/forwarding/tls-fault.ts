/**
 * Why TLS with a service failed: it refuses the gateway's certificate, or the gateway refuses its
 * certificate, or it does not speak TLS.
 */
export type TlsFault = 'own_certificate' | 'service_certificate' | 'no_tls';

const SERVICE_CERTIFICATE =
  /^(?:CERT_|ERR_TLS_CERT_|HOSTNAME_MISMATCH$|INVALID_(?:CA|PURPOSE)$|PATH_LENGTH_EXCEEDED$|UNABLE_TO_)|SELF_SIGNED_CERT/;
const NO_TLS = /^(?:EPROTO$|ERR_SSL_|ERR_TLS_)/;
const CLOSED: ReadonlySet<string> = new Set(['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE']);

interface ConnectionError {
  code?: string;
  message?: string;
  socket?: { bytesRead?: number };
}

/**
 * Returns the fault of a failed request or connection, or undefined when TLS did not cause it.
 *
 * With TLS 1.3 a service checks the certificate of its client when the handshake is complete for the client,
 * which has sent its request by then. A refusal is an alert, or only a closed connection: not every server
 * sends one, and it is lost when the request arrives at a closed socket. A connection that ends without any
 * byte of the service is therefore a refusal too.
 * @param bytesRead bytes of the service after the handshake
 */
export function tlsFault(
  error: unknown,
  origin: string,
  bytesRead = (error as ConnectionError | undefined)?.socket?.bytesRead,
): TlsFault | undefined {
  const { code = '', message = '' } = (error ?? {}) as ConnectionError;
  if (SERVICE_CERTIFICATE.test(code)) return 'service_certificate';
  if (NO_TLS.test(code)) return /alert/i.test(code + message) ? 'own_certificate' : 'no_tls';
  const isRefusal = origin.startsWith('https:') && bytesRead === 0 && CLOSED.has(code);
  return isRefusal ? 'own_certificate' : undefined;
}

/** Returns what an operator should do, with the variable. @param service its name */
export function tlsAdvice(fault: TlsFault, service: string): string {
  if (fault === 'own_certificate') {
    return `${service} refuses the certificate of this gateway, or closes connections before it responds: check UPSTREAM_TLS_CERT_FILE and UPSTREAM_TLS_KEY_FILE`;
  }
  if (fault === 'service_certificate') {
    return `the certificate of ${service} is not valid for its address and UPSTREAM_TLS_CA_FILE: correct that variable or the certificate`;
  }
  const variable = `UPSTREAM_${service.toUpperCase().replaceAll('-', '_')}`;
  return `${service} does not speak TLS at the https:// address of ${variable}: correct that variable or the service`;
}
