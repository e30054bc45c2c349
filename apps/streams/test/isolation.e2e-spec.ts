import { samplePosition } from '@plimsoll/testing';
import { StreamsHarness, newAccount } from './streams-harness';

jest.setTimeout(60_000);

describe('one account and another', () => {
  let harness: StreamsHarness;
  const [mine, theirs] = [newAccount(), newAccount()];
  let myWallet: string;
  let theirWallet: string;
  let sharedWallet: string;

  beforeAll(async () => {
    harness = await StreamsHarness.start();
    [myWallet, theirWallet, sharedWallet] = [harness.newWallet(), harness.newWallet(), harness.newWallet()];
    await harness.watch(mine, myWallet, sharedWallet);
    await harness.watch(theirs, theirWallet, sharedWallet);
  }, 120_000);
  afterAll(() => harness.close());

  it('receive only their own data, under every filter, in snapshot and events', async () => {
    const { id: theirPosition } = samplePosition(theirWallet, 1, 'low');
    const filters = [
      undefined,
      {},
      { wallets: [theirWallet] },
      { wallets: [theirWallet.toUpperCase().replace('0X', '0x'), myWallet] },
      { positionIds: [theirPosition] },
      { protocols: ['aave-v3'] },
      { chainIds: [1] },
      { maxHealthFactor: 100 },
      { minUsd: 0 },
    ];
    const before = await Promise.all(filters.map((filter) => harness.subscribe('positions', mine, filter)));
    const alertClients = await Promise.all(
      [...filters, { minSeverity: 'info' }].map((filter) => harness.subscribe('alerts', mine, filter)),
    );
    const theirClient = await harness.subscribe('positions', theirs);
    const theirAlerts = await harness.subscribe('alerts', theirs);
    for (const sequence of [1, 2]) {
      await harness.position(theirWallet, sequence, 'critical');
      await harness.position(myWallet, sequence, 'critical');
      await harness.position(sharedWallet, sequence, 'critical');
      await harness.alert(theirs, theirWallet, 'critical');
      await harness.alert(theirs, sharedWallet, 'critical');
      await harness.alert(mine, myWallet, 'critical');
    }
    await theirClient.waitFor('event', 4);
    await theirAlerts.waitFor('event', 4);
    await before[0]?.waitFor('event', 4);
    await alertClients[0]?.waitFor('event', 2);
    const after = await Promise.all(filters.map((filter) => harness.subscribe('positions', mine, filter)));

    for (const client of [...before, ...after, ...alertClients]) {
      const text = JSON.stringify(client.frames);
      expect(text).not.toContain(theirWallet);
      expect(text).not.toContain(theirPosition);
      expect(text).not.toContain(theirs);
    }
    expect(
      after[0]
        ?.of('snapshot')
        .flatMap(({ data }) => data.map(({ wallet }) => wallet))
        .sort(),
    ).toEqual([myWallet, sharedWallet].sort());
    expect(alertClients.map((client) => client.of('event').length)).toEqual([2, 2, 0, 2, 0, 2, 2, 2, 2, 2]);
  });

  it('receive nothing of a wallet after they stop watching it', async () => {
    const account = newAccount();
    const wallet = harness.newWallet();
    await harness.watch(account, wallet);
    const witness = newAccount();
    await harness.watch(witness, wallet);
    const [client, other] = await Promise.all([
      harness.subscribe('positions', account),
      harness.subscribe('positions', witness),
    ]);
    await harness.position(wallet, 1, 'low');
    await client.waitFor('event');
    await harness.unwatch(account, wallet);
    await harness.position(wallet, 2, 'high');
    await other.waitFor('event', 2);
    expect(client.of('event')).toHaveLength(1);
    expect((await harness.subscribe('positions', account)).of('snapshot')[0]?.data).toEqual([]);
  });
});
