import { demoWalletCount } from './demo-accounts';
import { demoFile } from './demo-file';
import { summary } from './summary';

const keys = { open: 'k-open', pro: 'k-pro', business: 'k-business', enterprise: 'k-enterprise' };
const addresses = { databaseUrl: 'postgresql://db', redisUrl: 'redis://r', kafkaBrokers: 'k:1' };
const demo = demoFile(
  4000,
  { demoKeys: keys, demoPassword: 'secret' },
  ['0xabc'],
  addresses,
  new Map([[1, 'http://rpc']]),
);

describe('demoFile', () => {
  it('has the shape that scripts read', () => {
    expect(demo).toEqual({
      baseUrl: 'http://127.0.0.1:4000/v1',
      streamsUrl: 'ws://127.0.0.1:4000/v1/streams',
      keys,
      logIns: {
        open: 'http://127.0.0.1:4000/portal/log-in#demo-open@plimsoll.local:secret',
        pro: 'http://127.0.0.1:4000/portal/log-in#demo-pro@plimsoll.local:secret',
        business: 'http://127.0.0.1:4000/portal/log-in#demo-business@plimsoll.local:secret',
        enterprise: 'http://127.0.0.1:4000/portal/log-in#demo-enterprise@plimsoll.local:secret',
      },
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
    for (const logIn of Object.values(demo.logIns)) expect(text).toContain(logIn);
    expect(text).toContain('Portal   http://127.0.0.1:4000/portal');
    expect(text).toContain('Mails    http://127.0.0.1:4000/portal/mail');
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
