import { demoWalletCount } from './demo-accounts';
import { demoFile } from './demo-file';
import { summary } from './summary';

const keys = { open: 'k-open', pro: 'k-pro', business: 'k-business', enterprise: 'k-enterprise' };
const addresses = { databaseUrl: 'postgresql://db', redisUrl: 'redis://r', kafkaBrokers: 'k:1' };
const demo = demoFile(4000, keys, ['0xabc'], addresses, new Map([[1, 'http://rpc']]));

describe('demoFile', () => {
  it('has the shape that scripts read', () => {
    expect(demo).toEqual({
      baseUrl: 'http://127.0.0.1:4000/v1',
      streamsUrl: 'ws://127.0.0.1:4000/v1/streams',
      keys,
      wallets: ['0xabc'],
      ...addresses,
      rpc: { '1': 'http://rpc' },
    });
  });
});

describe('summary', () => {
  it('contains a key of every tier, a wallet and a curl with both', () => {
    const text = summary(demo, 12_345, 1_100.4);
    for (const key of Object.values(keys)) expect(text).toContain(key);
    expect(text).toContain("curl -H 'x-api-key: k-pro' 'http://127.0.0.1:4000/v1/positions?wallet=0xabc'");
    expect(text).toContain('Ready in 12.3 s, with 1100 MB of memory.');
  });
});

describe('demoWalletCount', () => {
  it("stays within the limit of a tier's wallets", () => {
    const counts = (['open', 'pro', 'business', 'enterprise'] as const).map((tier) =>
      demoWalletCount(tier, 61),
    );
    expect(counts).toEqual([3, 25, 25, 61]);
  });
});
