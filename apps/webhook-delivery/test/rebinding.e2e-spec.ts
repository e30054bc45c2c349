import { parseCidrs } from '@plimsoll/service-kit';
import { type Receiver, startReceiver } from '@plimsoll/testing';
import { HostResolver } from '../src/outgoing/host-resolver';
import { HttpSender } from '../src/outgoing/http-sender';
import { TargetGuard } from '../src/outgoing/target-guard';
import type { OpenedRanges } from '../src/outgoing/url-policy';
import { type DnsServer, type Zone, startDnsServer } from './dns-server';

const CLOSED: OpenedRanges = { cidrs: [], http: false };
const LOOPBACK: OpenedRanges = { cidrs: parseCidrs('127.0.0.0/8'), http: true };

describe('a name whose addresses change', () => {
  let receiver: Receiver;
  let port: string;
  let dns: DnsServer;
  let sender: HttpSender;

  beforeAll(async () => {
    receiver = await startReceiver();
    port = new URL(receiver.url).port;
  });
  beforeEach(() => (receiver.requests.length = 0));
  afterEach(async () => {
    await sender.close();
    dns.close();
  });
  afterAll(() => receiver.close());

  /** The service's own parts with a DNS server that the test controls. */
  const start = async (zone: Zone, opened: OpenedRanges) => {
    dns = await startDnsServer(zone);
    const resolver = new HostResolver([dns.address]);
    sender = new HttpSender(resolver, opened, Date.now);
    const guard = new TargetGuard(resolver, opened);
    return {
      register: (url: string) => guard.refusedUrl(url),
      post: (url: string) => sender.post({ url, headers: [], body: '{}' }),
    };
  };

  it('is refused at connect when it was public at registration', async () => {
    const { register, post } = await start((_, time) => [time === 1 ? '8.8.8.8' : '127.0.0.1'], CLOSED);
    const url = `https://rebind.example.com:${port}/`;
    expect(await register(url)).toBeNull();
    expect(await post(url)).toMatchObject({ statusCode: null, error: 'unsafe_address' });
    expect(receiver.requests).toEqual([]);
  });

  it('is looked up once per connect, and the socket uses the checked address', async () => {
    const { post } = await start((_, time) => [time === 1 ? '127.0.0.1' : '10.0.0.1'], LOOPBACK);
    expect(await post(`http://once.example.com:${port}/`)).toMatchObject({ statusCode: 200 });
    expect(dns.queries).toEqual(
      expect.arrayContaining([
        { name: 'once.example.com', type: 'A' },
        { name: 'once.example.com', type: 'AAAA' },
      ]),
    );
    expect(dns.queries).toHaveLength(2);
  });

  it('is looked up again for the next connect, however often it was allowed', async () => {
    const { post } = await start((_, time) => [time < 3 ? '127.0.0.1' : '10.0.0.1'], LOOPBACK);
    receiver.respondWith(() => ({ status: 200, headers: { connection: 'close' } }));
    const url = `http://turns.example.com:${port}/`;
    const outcomes = [];
    for (let i = 0; i < 3; i += 1) outcomes.push(await post(url));
    receiver.respondWith(() => ({ status: 200 }));
    expect(outcomes.map(({ error }) => error)).toEqual([null, null, 'unsafe_address']);
    expect(receiver.requests).toHaveLength(2);
  });

  it.each([
    ['a private address after a public one', ['8.8.8.8', '10.0.0.1'], 'private'],
    ['a private address before a public one', ['192.168.1.1', '8.8.8.8'], 'private'],
    ['a public A and a loopback AAAA', ['8.8.8.8', '::1'], 'loopback'],
    ['a public A and a mapped AAAA', ['8.8.8.8', '::ffff:7f00:1'], 'ipv4_mapped'],
    ['a public A and a link-local AAAA', ['8.8.8.8', 'fe80::1'], 'link_local'],
    ['the metadata address of a cloud', ['169.254.169.254'], 'link_local'],
    ['the metadata address of a cloud in IPv6', ['fd00:ec2::254'], 'private'],
    ['the unspecified address', ['0.0.0.0'], 'unspecified'],
    ['a NAT64 address', ['64:ff9b::a00:1'], 'nat64'],
    ['a 6to4 address', ['2002:a00:1::1'], '6to4'],
  ])('is refused with %s, at registration and at connect', async (_name, addresses, reason) => {
    const { register, post } = await start(() => addresses, CLOSED);
    expect(await register('https://mixed.example.com/')).toBe(reason);
    expect(await post('https://mixed.example.com/')).toMatchObject({ error: 'unsafe_address' });
  });

  it('is refused when it is an alias of an internal name', async () => {
    const zone: Zone = (name) => (name === 'alias.example.com' ? { cname: 'db.corp.example' } : ['10.0.0.5']);
    const { register, post } = await start(zone, CLOSED);
    expect(await register('https://alias.example.com/')).toBe('private');
    expect(await post('https://alias.example.com/')).toMatchObject({ error: 'unsafe_address' });
  });

  it('is refused with HTTP unless it resolves to an opened range', async () => {
    const open = await start((name) => (name === 'inside.example.com' ? ['127.0.0.1'] : null), LOOPBACK);
    expect(await open.register(`http://inside.example.com:${port}/`)).toBeNull();
    expect(await open.register('http://later.example.com/')).toBe('not_https');
  });

  it('may be internal only when it resolves to an opened range', async () => {
    const open = await start(
      (name) => (name === 'receiver.internal' ? ['127.0.0.1'] : ['8.8.8.8']),
      LOOPBACK,
    );
    expect(await open.register(`https://receiver.internal:${port}/`)).toBeNull();
    expect(await open.register('https://metadata.google.internal/')).toBe('private_name');
  });

  it('is accepted at registration while it has no address, and fails at connect', async () => {
    const { register, post } = await start(() => null, CLOSED);
    expect(await register('https://later.example.com/')).toBeNull();
    expect(await post('https://later.example.com/')).toMatchObject({ error: 'dns_not_found' });
  });

  it.each([301, 302, 303, 307, 308])('follows no redirect with %s', async (status) => {
    const location = `http://inside.example.com:${port}/inside`;
    receiver.respondWith(({ path }) => (path === '/' ? { status, headers: { location } } : { status: 200 }));
    const { post } = await start(() => ['127.0.0.1'], LOOPBACK);
    expect(await post(`http://moved.example.com:${port}/`)).toMatchObject({
      statusCode: status,
      error: null,
    });
    receiver.respondWith(() => ({ status: 200 }));
    expect(receiver.requests.map(({ path }) => path)).toEqual(['/']);
    expect(dns.queries.map(({ name }) => name)).not.toContain('inside.example.com');
  });
});
