import { parseCidrs } from '@plimsoll/service-kit';
import { refusedTarget, refusedUrl, type OpenedRanges } from './url-policy';

const closed: OpenedRanges = { cidrs: [], http: false };
const loopback: OpenedRanges = { cidrs: parseCidrs('127.0.0.0/8,::1/128'), http: true };

describe('refusedUrl', () => {
  it.each([
    ['', 'not_a_url'],
    ['hooks', 'not_a_url'],
    ['https://', 'not_a_url'],
    ['https://1.2.3.4.5:99999/', 'not_a_url'],
    ['http://example.com/', 'not_https'],
    ['ftp://example.com/', 'not_https'],
    ['file:///etc/passwd', 'not_https'],
    ['javascript:alert(1)', 'not_https'],
    ['https://user@example.com/', 'user_info'],
    ['https://user:secret@example.com/', 'user_info'],
    ['https://:secret@example.com/', 'user_info'],
    ['https://127.0.0.1/', 'loopback'],
    ['https://127.1/', 'loopback'],
    ['https://2130706433/', 'loopback'],
    ['https://0x7f000001/', 'loopback'],
    ['https://0177.0.0.1/', 'loopback'],
    ['https://%31%32%37.0.0.1/', 'loopback'],
    ['https://①②⑦.0.0.1/', 'loopback'],
    ['https://127.0.0.1./', 'loopback'],
    ['https://0/', 'unspecified'],
    ['https://169.254.169.254/latest/meta-data', 'link_local'],
    ['https://[::1]/', 'loopback'],
    ['https://[::ffff:127.0.0.1]/', 'ipv4_mapped'],
    ['https://[::ffff:8.8.8.8]/', 'ipv4_mapped'],
    ['https://[::127.0.0.1]/', 'not_global_unicast'],
    ['https://[64:ff9b::10.0.0.1]/', 'nat64'],
    ['https://[fe80::1]/', 'link_local'],
  ])('refuses %s as %s', (url, reason) => {
    expect(refusedUrl(url, closed, null)).toBe(reason);
  });

  it.each([
    'https://example.com/',
    'https://example.com:8443/a?b=c#d',
    'https://8.8.8.8/',
    'https://[2606:4700::1]/',
  ])('accepts %s', (url) => {
    expect(refusedUrl(url, closed, null)).toBeNull();
  });

  it('opens HTTP for the opened ranges only', () => {
    expect(refusedUrl('http://127.0.0.1:8080/', loopback, null)).toBeNull();
    expect(refusedUrl('http://[::1]:8080/', loopback, null)).toBeNull();
    expect(refusedUrl('http://8.8.8.8/', loopback, null)).toBe('not_https');
    expect(refusedUrl('http://127.0.0.1/', { ...loopback, http: false }, null)).toBe('not_https');
    expect(refusedUrl('http://10.0.0.1/', loopback, null)).toBe('private');
  });
});

describe('a host that a parser rewrites', () => {
  it.each([
    'https://\uff25\uff38ample.com/',
    'https://\u{1d41e}xample.com/',
    'https://cafe\u0301.example.com/',
    'https://example.com:0443/',
    'https://example.com:00443/',
  ])('is refused: %s', (url) => expect(refusedUrl(url, closed, null)).toBe('ambiguous_host'));

  it('leaves port 0 to the refused ports', () => {
    expect(refusedUrl('https://example.com:0/', closed, null)).toBe('refused_port');
  });

  it.each(['https://caf\u00e9.example.com/', 'https://EXAMPLE.com/', 'https://example.com:443/'])(
    'is accepted in its own form: %s',
    (url) => expect(refusedUrl(url, closed, null)).toBeNull(),
  );
});

describe('the own origin', () => {
  const own = new URL('https://api.example.com');

  it.each(['https://api.example.com/', 'https://API.example.com/v1/status', 'https://api.example.com:8443/'])(
    'refuses %s',
    (url) => expect(refusedUrl(url, closed, own)).toBe('own_url'),
  );

  it('accepts other names, and other ports of the same address', () => {
    expect(refusedUrl('https://api.example.com.evil.net/', closed, own)).toBeNull();
    const local = new URL('http://127.0.0.1:4000');
    expect(refusedUrl('http://127.0.0.1:4000/v1/status', loopback, local)).toBe('own_url');
    for (const host of ['localhost', 'api.localhost', '[::1]', '127.0.0.2']) {
      expect(refusedUrl(`http://${host}:4000/v1/status`, loopback, local)).toBe('own_url');
    }
    const byName = new URL('http://localhost:4000');
    expect(refusedUrl('http://127.0.0.1:4000/v1/status', loopback, byName)).toBe('own_url');
    expect(refusedUrl('http://127.0.0.1:4001/hook', loopback, byName)).toBeNull();
    expect(refusedUrl('http://127.0.0.1:4001/', loopback, local)).toBeNull();
  });
});

describe('refusedTarget', () => {
  it('checks the resolved addresses of a name', () => {
    expect(refusedTarget('https:', '10.0.0.1', closed)).toBe('private');
    expect(refusedTarget('http:', '8.8.8.8', loopback)).toBe('not_https');
    expect(refusedTarget('http:', '127.0.0.1', loopback)).toBeNull();
  });
});
