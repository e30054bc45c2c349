import { X509Certificate, createPrivateKey } from 'node:crypto';
import { testAuthority } from './certificates';

describe('testAuthority', () => {
  it('issues certificates for hosts and addresses that verify with its own', () => {
    const authority = testAuthority();
    const { cert, key } = authority.issue('server', ['localhost', '127.0.0.1']);
    const own = new X509Certificate(authority.cert);
    const issued = new X509Certificate(cert);
    expect(own.ca).toBe(true);
    expect(issued.verify(own.publicKey)).toBe(true);
    expect(issued.checkIssued(own)).toBe(true);
    expect(issued.checkPrivateKey(createPrivateKey(key))).toBe(true);
    expect(issued.checkHost('localhost')).toBe('localhost');
    expect(issued.checkIP('127.0.0.1')).toBe('127.0.0.1');
    expect(issued.checkHost('example.com')).toBeUndefined();
  });

  it('issues no certificate that another authority verifies', () => {
    const issued = new X509Certificate(testAuthority().issue('server', ['localhost']).cert);
    expect(issued.verify(new X509Certificate(testAuthority().cert).publicKey)).toBe(false);
  });
});
