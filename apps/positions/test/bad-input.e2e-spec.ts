import type { ProblemBody } from '@plimsoll/contracts';
import { encodeCursor } from '@plimsoll/service-kit';
import { ServiceFixture, identityOf } from './service-fixture';

const WALLET = `0x${'ab'.repeat(20)}`;
/** Distinct addresses, with commas between. */
const manyWallets = (count: number): string =>
  Array.from({ length: count }, (_, at) => `0x${(at + 1).toString(16).padStart(40, '0')}`).join();
const nested = (levels: number): string => `${'['.repeat(levels)}${']'.repeat(levels)}`;

jest.setTimeout(30_000);

describe('bad input', () => {
  let service: ServiceFixture;

  beforeAll(async () => {
    service = await ServiceFixture.withoutNode();
    await service.start();
  }, 60_000);
  afterAll(() => service.close(), 30_000);

  const { accountId, limits } = identityOf('pro');
  const inject = (method: 'GET' | 'HEAD' | 'POST' | 'DELETE', url: string, payload?: string) =>
    service.app.inject({
      method,
      url,
      headers: {
        ...service.headers(method, url, { limits }, accountId),
        ...(payload !== undefined && { 'content-type': 'application/json' }),
      },
      ...(payload !== undefined && { payload }),
    });
  const outcome = async (...call: Parameters<typeof inject>): Promise<string> => {
    const response = await inject(...call);
    const { code, errors } = response.json<ProblemBody>();
    return [response.statusCode, code, errors?.[0]?.field].filter((part) => part !== undefined).join(' ');
  };

  it.each([
    ['no body', undefined, '400 invalid_request address'],
    ['null', 'null', '400 invalid_request '],
    ['a number', '{"address":42}', '400 invalid_request address'],
    ['a list', `{"address":["${WALLET}"]}`, '400 invalid_request address'],
    ['U+0000', '{"address":"0x\\u0000"}', '400 invalid_request address'],
    ['__proto__', `{"address":"${WALLET}","__proto__":{}}`, '400 invalid_request __proto__'],
    ['valueOf', `{"address":"${WALLET}","valueOf":1}`, '400 invalid_request valueOf'],
    ['deep nesting', `{"address":${nested(100_000)}}`, '400 invalid_request '],
    ['broken JSON', '{"address"', '400 invalid_json'],
  ])('POST /v1/wallets with %s', async (_, payload, expected) => {
    expect(await outcome('POST', '/v1/wallets', payload)).toBe(expected);
  });

  const MIXED = `0x${'aB'.repeat(20)}`;
  it.each([
    ['scan', 'no wallet', {}, '400 invalid_request wallet'],
    ['scan', 'a checksum that is wrong', { wallet: MIXED }, '400 invalid_request wallet'],
    ['scan', 'an invalid name', { wallet: 'a_b.eth' }, '400 invalid_request wallet'],
    ['scan', 'a wallet that is too long', { wallet: `${WALLET}00` }, '400 invalid_request wallet'],
    ['scan', 'a very long wallet', { wallet: WALLET.repeat(9) }, '400 invalid_request wallet'],
    ['scan', 'an unknown chain', { wallet: WALLET, chains: [1, 4] }, '400 invalid_request chains[1]'],
    ['scan', 'a negative chain', { wallet: WALLET, chains: [-1] }, '400 invalid_request chains[0]'],
    ['scan', 'chains in text', { wallet: WALLET, chains: ['1'] }, '400 invalid_request chains[0]'],
    ['scan', 'no chain', { wallet: WALLET, chains: [] }, '400 invalid_request chains'],
    ['scan', 'null for chains', { wallet: WALLET, chains: null }, '400 invalid_request chains'],
    ['scan', 'a typo', { wallet: WALLET, chain: [1] }, '400 invalid_request chain'],
    ['batch', 'no wallet', { wallets: [] }, '400 invalid_request wallets'],
    ['batch', '101 wallets', { wallets: Array(101).fill(WALLET) }, '400 invalid_request wallets'],
    ['batch', 'a text', { wallets: WALLET }, '400 invalid_request wallets'],
    ['batch', 'a wrong checksum', { wallets: [WALLET, MIXED] }, '400 invalid_request wallets[1]'],
    ['batch', 'an invalid name', { wallets: ['a_b.eth'] }, '400 invalid_request wallets[0]'],
    ['batch', 'a limit', { wallets: [WALLET], limit: -1 }, '400 invalid_request limit'],
  ])('POST /v1/positions/%s with %s', async (name, _, body, expected) => {
    expect(await outcome('POST', `/v1/positions/${name}`, JSON.stringify(body))).toBe(expected);
  });

  it.each([
    ['/v1/wallets?limit=1&limit=2', '400 invalid_request limit'],
    ['/v1/wallets?limit=-1', '400 invalid_request limit'],
    [`/v1/wallets?cursor=${encodeCursor([9e15, WALLET])}`, '400 invalid_request cursor'],
    [`/v1/wallets?cursor=${encodeCursor([1e300, WALLET])}`, '400 invalid_request cursor'],
    [`/v1/wallets?cursor=${encodeCursor([-1, WALLET])}`, '400 invalid_request cursor'],
    [`/v1/wallets?cursor=${encodeCursor([0, '\0'])}`, '400 invalid_request cursor'],
    [`/v1/positions?wallet=${WALLET}&wallet=${WALLET}`, '400 invalid_request wallet'],
    ['/v1/positions?wallet=', '400 invalid_request wallet'],
    ['/v1/positions?wallet=,', '400 invalid_request wallet'],
    ['/v1/positions?wallet=%00', '400 invalid_request wallet'],
    [`/v1/positions?cursor=${encodeCursor(['x', 'pos_1'])}`, '400 invalid_request cursor'],
    [`/v1/positions?cursor=${encodeCursor(['1', '\0'])}`, '400 invalid_request cursor'],
    ['/v1/positions?limit=-1', '400 invalid_request limit'],
    ['/v1/positions?limit=0', '400 invalid_request limit'],
    ['/v1/positions?limit=201', '400 invalid_request limit'],
    [`/v1/positions?wallet=${MIXED}`, '400 invalid_request wallet'],
    ['/v1/positions?wallet=a_b.eth', '400 invalid_request wallet'],
    [`/v1/positions?wallet=${WALLET}00`, '400 invalid_request wallet'],
    [`/v1/positions?wallet=${manyWallets(101)}`, '400 tier_limit_exceeded wallet'],
    ['/v1/positions?riskLevel=severe', '400 invalid_request riskLevel'],
    ['/v1/positions?chainId=one', '400 invalid_request chainId'],
    ['/v1/positions?chainId=9007199254740992', '400 invalid_request chainId'],
    ['/v1/positions?maxHealthFactor=low', '400 invalid_request maxHealthFactor'],
    ['/v1/positions?maxHealthFactor=', '400 invalid_request maxHealthFactor'],
    ['/v1/positions?minDebtUsd=', '400 invalid_request minDebtUsd'],
    ['/v1/positions?minDebtUsd=-1', '400 invalid_request minDebtUsd'],
    ['/v1/positions?sort=name', '400 invalid_request sort'],
    [`/v1/analytics/portfolio?wallet=${MIXED}`, '400 invalid_request wallet'],
    ['/v1/analytics/historical?days=-1', '400 invalid_request days'],
    ['/v1/analytics/historical?limit=-1', '400 invalid_request limit'],
    ['/v1/positions/%00', '400 invalid_request id'],
    ['/v1/positions/%zz', '400 invalid_request'],
    [`/v1/positions/pos_${'x'.repeat(200)}`, '404 not_found'],
    ['/v1/positions/pos_1', '404 not_found'],
    ['/v1/positions/constructor', '404 not_found'],
  ])('GET %s', async (url, expected) => {
    expect(await outcome('GET', url)).toBe(expected);
  });

  it.each([
    ['/v1/wallets/%00', '400 invalid_request address'],
    ['/v1/wallets/0x', '400 invalid_request address'],
    [`/v1/wallets/${WALLET}`, '404 not_found'],
  ])('DELETE %s', async (url, expected) => {
    expect(await outcome('DELETE', url)).toBe(expected);
  });

  it('treats HEAD as GET', async () => {
    expect((await inject('HEAD', '/v1/wallets')).statusCode).toBe(200);
    expect((await inject('HEAD', '/v1/positions/pos_1')).statusCode).toBe(404);
  });
});
