import type {
  AlertList,
  OneWalletImport,
  ProblemBody,
  ResolvedName,
  WalletImportProgress,
  WhaleActivityList,
} from '@plimsoll/contracts';
import { connectAnvil, deployEns } from '@plimsoll/devnet';
import { waitFor } from '@plimsoll/testing';
import type { Address } from 'viem';
import { startOwnPlatform, type Platform } from '../platform/start-platform';
import { openStream } from '../platform/stream-client';

const ADA: Address = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';

describe('ENS names: gateway → service → positions → chain', () => {
  let platform: Platform;
  let key: string;

  beforeAll(async () => {
    platform = await startOwnPlatform();
    const ens = await deployEns(connectAnvil(platform.rpcUrl));
    await ens.register('ada.eth', ADA);
    await ens.register('ünï.eth', ADA);
    key = await platform.createKey('enterprise', 100_000);
  }, 180_000);

  afterAll(async () => {
    await platform?.stop();
  }, 60_000);

  async function send<T>(path: string, body?: object) {
    const response = await fetch(new URL(path, platform.baseUrl), {
      method: body ? 'POST' : 'GET',
      headers: { 'x-api-key': key, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(20_000),
    });
    const resolved = response.headers.get('resolved-names');
    return { status: response.status, resolved, body: (await response.json()) as T & ProblemBody };
  }

  const withName = (name: string): readonly (readonly [path: string, field: string, body?: object])[] => [
    [`/v1/positions?wallet=${name}`, 'wallet'],
    [`/v1/analytics/portfolio?wallet=${name}`, 'wallet'],
    [`/v1/risk/metrics?wallet=${name}`, 'wallet'],
    [`/v1/alerts?wallet=${name}`, 'wallet'],
    [`/v1/whales/activity?wallet=${name}`, 'wallet'],
    ['/v1/wallets', 'address', { address: name }],
    [`/v1/analytics/historical?wallet=${name}`, 'wallet'],
    [`/v1/wallets/${name}/balances`, 'address'],
    ['/v1/positions/scan', 'wallet', { wallet: name }],
    ['/v1/positions/batch', 'wallets[0]', { wallets: [name] }],
    ['/v1/ai/suggestions', 'wallet', { wallet: name }],
    [
      '/v1/simulate/portfolio',
      'wallets[0]',
      { wallets: [name], scenarios: [{ asset: 'ETH', priceChangePercent: -10 }] },
    ],
  ];

  it('are resolved by every service, which states the address', async () => {
    for (const [path, , body] of withName('ada.eth')) {
      const { status, resolved } = await send(path, body);
      expect([path, status, resolved]).toEqual([
        path,
        body && path === '/v1/wallets' ? 201 : 200,
        expect.stringMatching(new RegExp(`^ada\\.eth=${ADA};block=\\d+$`)),
      ]);
    }
  });

  it('are refused with the field and a code that every service shares', async () => {
    for (const [name, code] of [
      ['nobody.eth', 'name_without_address'],
      ['a_b.eth', 'invalid_name'],
    ] as const)
      for (const [path, field, body] of withName(name)) {
        const response = await send(path, body);
        expect([path, response.status, response.body.errors?.map((each) => [each.field, each.code])]).toEqual(
          [path, 400, [[field, code]]],
        );
      }
  });

  it('are resolved in filters of streams, which state the addresses; a refusal names the place', async () => {
    const answerTo = async (wallets: readonly string[]) => {
      const stream = await openStream(`${platform.streamsUrl}/whales`, key, { wallets });
      stream.close();
      return stream.frames
        .map(({ frame }) => frame)
        .find(({ type }) => type === 'subscribed' || type === 'error');
    };
    expect(await answerTo(['ada.eth', ADA])).toEqual({
      type: 'subscribed',
      id: 'all',
      names: [{ name: 'ada.eth', address: ADA }],
    });
    expect(await answerTo([ADA, 'nobody.eth'])).toMatchObject({
      type: 'error',
      id: 'all',
      code: 'invalid_request',
      message: expect.stringMatching(/^\/filter\/wallets\/1: nobody\.eth has no address/),
    });
  });

  it('are accepted in rows of an import', async () => {
    const { body } = await send<OneWalletImport>('/v1/wallets/imports', {
      wallets: [{ address: 'ünï.eth' }, { address: 'nobody.eth' }],
    });
    const ended = await waitFor(
      async () => {
        const found = await send<WalletImportProgress>(`/v1/wallets/imports/${body.walletImport.id}`);
        return found.body.walletImport.completedAt !== null && found.body;
      },
      { message: 'the import ends' },
    );
    expect(ended.rejections).toMatchObject([
      { index: 1, address: 'nobody.eth', field: 'address', code: 'name_without_address' },
    ]);
  });

  it('select the same as their address', async () => {
    const ofAddress = await send<AlertList & WhaleActivityList>(`/v1/whales/activity?wallet=${ADA}`);
    const ofName = await send<AlertList & WhaleActivityList>('/v1/whales/activity?wallet=ada.eth');
    expect(ofName.body).toEqual(ofAddress.body);
  });

  it('pass the gateway with letters of any script, and are percent-encoded in the header', async () => {
    const name = encodeURIComponent('ünï.eth');
    const { status, body } = await send<ResolvedName>(`/v1/names/${name}`);
    expect([status, body]).toMatchObject([200, { name: 'ünï.eth', address: ADA }]);
    expect((await send(`/v1/positions?wallet=${name}`)).resolved).toMatch(new RegExp(`^${name}=`));
  });
});
