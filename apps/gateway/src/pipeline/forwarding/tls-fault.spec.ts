import { tlsAdvice, tlsFault } from './tls-fault';

const HTTPS = 'https://127.0.0.1:1';

describe('tlsFault', () => {
  it.each([
    ['CERT_HAS_EXPIRED', 'service_certificate'],
    ['SELF_SIGNED_CERT_IN_CHAIN', 'service_certificate'],
    ['DEPTH_ZERO_SELF_SIGNED_CERT', 'service_certificate'],
    ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'service_certificate'],
    ['ERR_TLS_CERT_ALTNAME_INVALID', 'service_certificate'],
    ['ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED', 'own_certificate'],
    ['ERR_SSL_TLSV1_ALERT_UNKNOWN_CA', 'own_certificate'],
    ['ERR_SSL_WRONG_VERSION_NUMBER', 'no_tls'],
    ['ECONNREFUSED', undefined],
    [undefined, undefined],
  ])('reads %s as %s', (code, fault) => {
    expect(tlsFault(Object.assign(new Error('failed'), { code }), HTTPS)).toBe(fault);
  });

  it('reads an alert from the message where Node gives no own code', () => {
    const error = Object.assign(new Error('write EPROTO: tlsv1 alert unknown ca'), { code: 'EPROTO' });
    expect(tlsFault(error, HTTPS)).toBe('own_certificate');
  });

  it.each(['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE'])(
    'reads %s before the first byte as a refusal',
    (code) => {
      const closed = (bytesRead: number): Error =>
        Object.assign(new Error('closed'), { code, socket: { bytesRead } });
      expect(tlsFault(closed(0), HTTPS)).toBe('own_certificate');
      expect(tlsFault(closed(1), HTTPS)).toBeUndefined();
      expect(tlsFault(closed(0), 'http://127.0.0.1:1')).toBeUndefined();
    },
  );

  it('names the variable in its advice', () => {
    expect(tlsAdvice('own_certificate', 'alerts')).toContain('UPSTREAM_TLS_CERT_FILE');
    expect(tlsAdvice('service_certificate', 'alerts')).toContain('UPSTREAM_TLS_CA_FILE');
    expect(tlsAdvice('no_tls', 'market-data')).toContain('UPSTREAM_MARKET_DATA');
  });
});
