import { type WhaleV1, newId } from '@plimsoll/contracts';
import { outgoing, tombstone } from '@plimsoll/event-bus';
import { sampleMove, samplePosition, sampleWallet, waitFor } from '@plimsoll/testing';
import { AlertsHarness, newAccount } from './alerts-harness';

jest.setTimeout(60_000);

const OPENED = 'active whale_move';
const RESOLVED = 'resolved whale_move';

describe('a move of a whale', () => {
  let harness: AlertsHarness;
  let wallets = 5_000;
  const nextWallet = (): string => sampleWallet((wallets += 1));

  beforeAll(async () => {
    harness = await AlertsHarness.start();
  }, 120_000);
  afterAll(() => harness.close());

  const publish = (...moves: WhaleV1[]): Promise<void> =>
    harness.publisher.publish(...moves.map((move) => outgoing('whale.v1', move)));

  const watched = async (): Promise<{ accountId: string; wallet: string }> => {
    const [accountId, wallet] = [newAccount(), nextWallet()];
    await harness.watch(accountId, wallet);
    return { accountId, wallet };
  };

  it('reaches accounts that watch the wallet, and no other account', async () => {
    const mine = await watched();
    const others = await watched();
    await publish(sampleMove(mine.wallet), sampleMove(nextWallet()));
    await harness.changes(mine.accountId, [OPENED]);
    const { body } = await harness.list(mine.accountId);
    expect(body.alerts).toMatchObject([
      { type: 'whale_move', severity: 'high', status: 'active', positionId: null },
    ]);
    await publish(sampleMove(others.wallet));
    await harness.changes(others.accountId, [OPENED]);
    expect(harness.published(mine.accountId)).toEqual([OPENED]);
  });

  it('is published once while an alert about the wallet is open', async () => {
    const { accountId, wallet } = await watched();
    const probe = await watched();
    const move = sampleMove(wallet);
    await publish(move, move, sampleMove(wallet));
    await publish(sampleMove(probe.wallet));
    await harness.changes(probe.accountId, [OPENED]);
    await harness.changes(accountId, [OPENED]);
  });

  it('is retracted with its block', async () => {
    const { accountId, wallet } = await watched();
    const move = sampleMove(wallet);
    await publish(move);
    await harness.changes(accountId, [OPENED]);
    await publish({ ...move, status: 'reverted' });
    await harness.changes(accountId, [OPENED, RESOLVED]);
    await publish(sampleMove(wallet));
    await harness.changes(accountId, [OPENED, RESOLVED, OPENED]);
  });

  it('is resolved when the wallet is no longer watched', async () => {
    const { accountId, wallet } = await watched();
    await publish(sampleMove(wallet));
    await harness.changes(accountId, [OPENED]);
    await harness.publisher.publish(tombstone('wallet.v1', `${accountId}|${wallet}`));
    await harness.changes(accountId, [OPENED, RESOLVED]);
  });

  it('is resolved when the move is old', async () => {
    const { accountId, wallet } = await watched();
    await publish(sampleMove(wallet));
    await harness.changes(accountId, [OPENED]);
    await harness.query(`UPDATE alerts SET expires_at = now() - interval '1 second' WHERE account_id = $1`, [
      accountId,
    ]);
    await harness.changes(accountId, [OPENED, RESOLVED]);
  });

  it('is not published for a back-filled move', async () => {
    const { accountId, wallet } = await watched();
    const probe = await watched();
    await publish(sampleMove(wallet, { timestamp: new Date(Date.now() - 86_400_000).toISOString() }));
    await publish(sampleMove(probe.wallet));
    await harness.changes(probe.accountId, [OPENED]);
    expect(harness.published(accountId)).toEqual([]);
  });

  it('reaches accounts with a position in the protocol on that chain if the move is very large', async () => {
    const { accountId, wallet } = await watched();
    const elsewhere = await watched();
    const here = samplePosition(wallet, 1, 'low');
    const there = samplePosition(elsewhere.wallet, 1, 'low', { chainId: 10, id: newId('pos') });
    await harness.publisher.publish(outgoing('position.v1', here), outgoing('position.v1', there));
    await Promise.all([harness.handled(here.id, 1), harness.handled(there.id, 1)]);
    await publish(
      sampleMove(nextWallet(), { usdValue: 25_000_000 }),
      sampleMove(nextWallet(), { usdValue: 9_000_000 }),
    );
    await harness.changes(accountId, [OPENED]);
    const { body } = await harness.list(accountId);
    expect(body.alerts).toMatchObject([{ severity: 'medium' }]);
    await waitFor(() => harness.published(elsewhere.accountId).length === 0, {
      message: 'no alert elsewhere',
    });
  });

  it('reaches accounts that watch the protocol, of any size and on any chain, until they stop', async () => {
    const [accountId, other] = [newAccount(), newAccount()];
    const put = (protocol: string) =>
      harness.call<object>('PUT', `/v1/alerts/protocols/${protocol}`, accountId);
    expect((await put('some-protocol')).status).toBe(200);
    expect((await put('some-protocol')).status).toBe(200);
    expect((await put('Some Protocol')).status).toBe(400);
    const list = () => harness.call<{ protocols: object[] }>('GET', '/v1/alerts/protocols', accountId);
    expect((await list()).body).toMatchObject({ protocols: [{ protocol: 'some-protocol' }], count: 1 });
    const probe = await watched();
    await publish(
      sampleMove(nextWallet(), { protocol: 'other-protocol', usdValue: 90_000_000 }),
      sampleMove(nextWallet(), { protocol: 'some-protocol', usdValue: 2, chainId: 10 }),
      sampleMove(nextWallet(), { protocol: 'some-protocol', usdValue: 3, chainId: 10 }),
      sampleMove(probe.wallet),
    );
    await harness.changes(accountId, [OPENED]);
    const { body } = await harness.list(accountId);
    expect(body.alerts).toMatchObject([
      { type: 'whale_move', severity: 'medium', title: expect.stringContaining('some-protocol') },
    ]);
    await harness.changes(probe.accountId, [OPENED]);
    expect(harness.published(other)).toEqual([]);

    const remove = (account: string) =>
      harness.call<object>('DELETE', '/v1/alerts/protocols/some-protocol', account);
    expect((await remove(other)).status).toBe(404);
    expect((await remove(accountId)).status).toBe(200);
    const second = await watched();
    await publish(
      sampleMove(nextWallet(), { protocol: 'some-protocol', chainId: 137 }),
      sampleMove(second.wallet),
    );
    await harness.changes(second.accountId, [OPENED]);
    expect(harness.published(accountId)).toEqual([OPENED]);
  });

  it('an account watches protocols up to the limit', async () => {
    const accountId = newAccount();
    const put = (n: number) =>
      harness.call<{ code?: string }>('PUT', `/v1/alerts/protocols/protocol-${n}`, accountId);
    const responses = await Promise.all(Array.from({ length: 52 }, (_, n) => put(n)));
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(50);
    expect(responses.filter(({ body }) => body.code === 'quota_reached')).toHaveLength(2);
  });

  it('is published to all affected accounts, and retracted, in transactions of a bounded size', async () => {
    const wallet = nextWallet();
    await harness.query(
      `INSERT INTO watches (wallet, account_id, watching, changed_at)
       SELECT $1, 'acc_' || lpad(n::text, 22, 'w'), true, now() FROM generate_series(1, 12000) AS n`,
      [wallet],
    );
    const sizes = async (state: string) => {
      const rows = await harness.query<{ size: number }>(
        `SELECT count(*)::int AS size FROM alerts WHERE account_id LIKE 'acc_ww%' AND resolved_at IS ${state}
         GROUP BY xmin::text ORDER BY 1 DESC`,
      );
      return rows.map(({ size }) => size);
    };
    const all = (state: string, message: string) =>
      waitFor(async () => (await sizes(state)).reduce((sum, size) => sum + size, 0) === 12_000, {
        timeoutMs: 60_000,
        message,
      });
    const move = sampleMove(wallet);
    await publish(move);
    await all('NULL', 'every account has the alert');
    expect(await sizes('NULL')).toEqual([10_000, 2_000]);
    await publish({ ...move, status: 'reverted' });
    await all('NOT NULL', 'everyone is told that it is over');
    expect(await sizes('NOT NULL')).toEqual([10_000, 2_000]);
    await waitFor(async () => (await harness.query('SELECT 1 FROM whale_tellings')).length === 0, {
      message: 'no notification is pending',
    });
    await harness.query(`DELETE FROM alerts WHERE account_id LIKE 'acc_ww%'`);
    await harness.query(`DELETE FROM watches WHERE account_id LIKE 'acc_ww%'`);
  });
});
