import { Logger } from '@nestjs/common';
import { GatewayConfig } from '../config';
import { ClientAddresses, addressSubject, clientAddress, parseNetworks } from './client-address';

const trusted = parseNetworks('10.0.0.0/8,fd00::/8');

describe('clientAddress', () => {
  it("is the connection's, whatever an untrusted client claims", () => {
    expect(clientAddress('203.0.113.7', '198.51.100.1', trusted)).toBe('203.0.113.7');
    expect(clientAddress('10.0.0.1', '198.51.100.1', [])).toBe('10.0.0.1');
  });

  it('is the last forwarded address that is not a trusted proxy', () => {
    expect(clientAddress('10.0.0.1', '1.1.1.1, 198.51.100.1, 10.2.3.4', trusted)).toBe('198.51.100.1');
    expect(clientAddress('::ffff:10.0.0.1', '198.51.100.1', trusted)).toBe('198.51.100.1');
    expect(clientAddress('fd00::1', '2001:db8::1', trusted)).toBe('2001:db8::1');
  });

  it('stops at text that is not an address', () => {
    expect(clientAddress('10.0.0.1', '198.51.100.1, unknown', trusted)).toBe('10.0.0.1');
    expect(clientAddress('10.0.0.1', undefined, trusted)).toBe('10.0.0.1');
  });
});

describe('addressSubject', () => {
  it('is one for an IPv6 /64, and one for each IPv4 address', () => {
    expect(addressSubject('2001:db8:1:2::1')).toEqual(addressSubject('2001:db8:1:2:ffff::9'));
    expect(addressSubject('2001:db8:1:2::1').id).not.toBe(addressSubject('2001:db8:1:3::1').id);
    expect(addressSubject('1.1.1.1').id).not.toBe(addressSubject('1.1.1.2').id);
  });
});

describe('ClientAddresses', () => {
  const request = { headers: { 'x-forwarded-for': '198.51.100.1' }, socket: { remoteAddress: '10.0.0.1' } };
  const addresses = (proxies: string): ClientAddresses =>
    new ClientAddresses(Object.assign(new GatewayConfig(), { TRUSTED_PROXIES: proxies }));

  afterEach(() => jest.restoreAllMocks());

  it('warns once about a header that it must ignore', () => {
    const warn = jest.spyOn(Logger.prototype, 'warn').mockImplementation();
    const untrusting = addresses('');
    expect([untrusting.of(request), untrusting.of(request)]).toEqual(['10.0.0.1', '10.0.0.1']);
    expect(warn).toHaveBeenCalledTimes(1);
    expect(addresses('10.0.0.0/8').of(request)).toBe('198.51.100.1');
    expect(warn).toHaveBeenCalledTimes(1);
  });
});
