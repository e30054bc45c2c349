import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { Clock } from '@plimsoll/service-kit';
import { type Receiver, startReceiver } from '@plimsoll/testing';
import { CoingeckoSource } from '../src/sources/coingecko-source';
import { DefillamaSource } from '../src/sources/defillama-source';

const recorded = (name: string): Promise<string> => readFile(path.join(__dirname, 'recorded', name), 'utf8');
const deadline = (): AbortSignal => AbortSignal.timeout(5_000);

/** Responses that users of the two APIs have published, with their exact values. */
describe('recorded responses', () => {
  let api: Receiver;
  beforeAll(async () => {
    api = await startReceiver();
  });
  afterAll(() => api.close());

  it('CoinGecko: price, capitalisation, change and time of each asset, to the last digit', async () => {
    const body = await recorded('coingecko-simple-price-2025-05-16.json');
    api.respondWith(() => ({ status: 200, body }));
    const source = new CoingeckoSource(
      { baseUrl: `${api.url}/api/v3`, key: '', pollMs: 60_000 },
      new Clock(),
    );
    const { quotes } = await source.read(deadline());
    expect(quotes).toHaveLength(2);
    expect(quotes).toContainEqual({
      asset: 'BTC',
      priceRaw: 103_663n * 10n ** 18n,
      observedAtMs: Date.UTC(2025, 4, 16, 15, 4, 19),
      marketCapUsd: 2_058_811_028_682.1257,
      change24h: 1.6371141415010508,
    });
    expect(quotes).toContainEqual({
      asset: 'ETH',
      priceRaw: 258_779n * 10n ** 16n,
      observedAtMs: Date.UTC(2025, 4, 16, 15, 4, 28),
      marketCapUsd: 312_382_548_453.98755,
      change24h: 3.4336980692397274,
    });
  });

  it('DefiLlama: finds a token by its address in any case, and omits tokens that were not requested', async () => {
    const body = await recorded('defillama-prices-current-2022-11-04.json');
    api.respondWith(() => ({ status: 200, body }));
    const source = new DefillamaSource({ baseUrl: api.url, pollMs: 60_000 }, new Clock());
    expect((await source.read(deadline())).quotes).toEqual([
      {
        asset: 'ETH',
        priceRaw: 158_285n * 10n ** 16n,
        observedAtMs: Date.UTC(2022, 10, 4, 9, 47, 57),
        marketCapUsd: null,
        change24h: null,
      },
    ]);
  });
});
