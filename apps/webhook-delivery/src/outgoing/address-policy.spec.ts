import { parseCidrs } from '@plimsoll/service-kit';
import fc from 'fast-check';
import { isWithin, refusedAddress } from './address-policy';

const REFUSED: [address: string, reason: string][] = [
  ['0.0.0.0', 'unspecified'],
  ['0.255.255.255', 'unspecified'],
  ['10.0.0.0', 'private'],
  ['10.255.255.255', 'private'],
  ['100.64.0.0', 'carrier_grade_nat'],
  ['100.100.100.200', 'carrier_grade_nat'],
  ['100.127.255.255', 'carrier_grade_nat'],
  ['127.0.0.1', 'loopback'],
  ['127.255.255.254', 'loopback'],
  ['169.254.0.0', 'link_local'],
  ['169.254.169.254', 'link_local'],
  ['169.254.170.2', 'link_local'],
  ['168.63.129.16', 'cloud_metadata'],
  ['172.16.0.0', 'private'],
  ['172.31.255.255', 'private'],
  ['192.0.0.192', 'reserved'],
  ['192.0.2.1', 'documentation'],
  ['192.88.99.1', '6to4'],
  ['192.168.0.1', 'private'],
  ['192.168.255.255', 'private'],
  ['192.175.48.1', 'reserved'],
  ['198.18.0.0', 'benchmarking'],
  ['198.19.255.255', 'benchmarking'],
  ['198.51.100.7', 'documentation'],
  ['203.0.113.7', 'documentation'],
  ['224.0.0.1', 'multicast'],
  ['239.255.255.255', 'multicast'],
  ['240.0.0.1', 'reserved'],
  ['255.255.255.255', 'reserved'],
  ['::', 'unspecified'],
  ['::1', 'loopback'],
  ['::2', 'not_global_unicast'],
  ['::7f00:1', 'not_global_unicast'],
  ['::ffff:127.0.0.1', 'ipv4_mapped'],
  ['::ffff:8.8.8.8', 'ipv4_mapped'],
  ['::ffff:7f00:1', 'ipv4_mapped'],
  ['::ffff:0:127.0.0.1', 'ipv4_translated'],
  ['64:ff9b::7f00:1', 'nat64'],
  ['64:ff9b:1::a00:1', 'nat64'],
  ['100::1', 'not_global_unicast'],
  ['1::1', 'not_global_unicast'],
  ['1fff:ffff::1', 'not_global_unicast'],
  ['4000::1', 'not_global_unicast'],
  ['5f00::1', 'not_global_unicast'],
  ['fc00::1', 'private'],
  ['fd00:ec2::254', 'private'],
  ['fdff:ffff::1', 'private'],
  ['fe80::1', 'link_local'],
  ['febf::1', 'link_local'],
  ['fec0::1', 'site_local'],
  ['ff02::1', 'multicast'],
  ['ff0e::1', 'multicast'],
  ['2001::1', 'teredo'],
  ['2001:0:4136:e378:8000:63bf:3fff:fdd2', 'teredo'],
  ['2001:2::1', 'reserved'],
  ['2001:20::1', 'reserved'],
  ['2001:db8::1', 'documentation'],
  ['2002:7f00:1::1', '6to4'],
  ['2002:a00:1::', '6to4'],
  ['2620:4f:8000::1', 'reserved'],
  ['3ffe::1', 'reserved'],
  ['3fff::1', 'documentation'],
  ['fe80::1%eth0', 'not_an_address'],
  ['127.1', 'not_an_address'],
  ['2130706433', 'not_an_address'],
  ['0x7f000001', 'not_an_address'],
  ['localhost', 'not_an_address'],
  ['', 'not_an_address'],
];

const ACCEPTED = [
  '1.1.1.1',
  '8.8.8.8',
  '9.255.255.255',
  '11.0.0.0',
  '100.63.255.255',
  '100.128.0.0',
  '126.255.255.255',
  '128.0.0.0',
  '168.63.129.15',
  '169.253.255.255',
  '172.15.255.255',
  '172.32.0.0',
  '192.0.1.1',
  '192.167.255.255',
  '198.17.255.255',
  '198.20.0.0',
  '223.255.255.255',
  '2000::1',
  '2001:200::1',
  '2001:4860:4860::8888',
  '2003::1',
  '2606:4700:4700::1111',
  '2a00:1450:4001::1',
];

describe('refusedAddress', () => {
  it.each(REFUSED)('rejects %s as %s', (address, reason) => {
    expect(refusedAddress(address, [])).toBe(reason);
  });

  it.each(ACCEPTED)('accepts %s', (address) => {
    expect(refusedAddress(address, [])).toBeNull();
  });

  it('opens the given ranges, of their own family only', () => {
    const allowed = parseCidrs('127.0.0.0/8, ::1/128');
    expect(refusedAddress('127.0.0.1', allowed)).toBeNull();
    expect(refusedAddress('::1', allowed)).toBeNull();
    expect(refusedAddress('::ffff:127.0.0.1', allowed)).toBe('ipv4_mapped');
    expect(refusedAddress('10.0.0.1', allowed)).toBe('private');
    expect(refusedAddress('::1', parseCidrs('0.0.0.0/0'))).toBe('loopback');
  });

  it('accepts no IPv6 address outside of 2000::/3', () => {
    fc.assert(
      fc.property(fc.ipV6(), (address) => {
        const firstGroup = parseInt(address.split(':')[0] || '0', 16);
        if (refusedAddress(address, []) === null) expect(firstGroup >> 13).toBe(1);
      }),
      { numRuns: 2_000 },
    );
  });
});

describe('isWithin', () => {
  it('is false for names and for the other family', () => {
    expect(isWithin('127.0.0.1', parseCidrs('127.0.0.0/8'))).toBe(true);
    expect(isWithin('localhost', parseCidrs('127.0.0.0/8'))).toBe(false);
    expect(isWithin('::1', parseCidrs('127.0.0.0/8'))).toBe(false);
  });
});

describe('parseCidrs', () => {
  it('throws for text that is not a range', () => {
    for (const text of ['127.0.0.1', '127.0.0.0/33', 'all', '10.0.0.0/8,'])
      expect(() => parseCidrs(text)).toThrow();
    expect(parseCidrs('')).toEqual([]);
  });
});
