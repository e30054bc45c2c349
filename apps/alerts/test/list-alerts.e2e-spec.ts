import { type AcknowledgedAlert, type AlertItem, checksumAddress, newId } from '@plimsoll/contracts';
import { outgoing } from '@plimsoll/event-bus';
import { samplePosition, sampleWallet, sampleWatch, waitFor } from '@plimsoll/testing';
import { AlertsHarness, newAccount } from './alerts-harness';

jest.setTimeout(60_000);

describe('GET /v1/alerts', () => {
  let harness: AlertsHarness;
  const accountId = newAccount();
  const wallets = [1, 2, 3, 4, 5].map(sampleWallet);

  beforeAll(async () => {
    harness = await AlertsHarness.start();
    await harness.publisher.publish(
      ...wallets.map((wallet) => outgoing('wallet.v1', sampleWatch(accountId, wallet))),
    );
    for (const [at, wallet] of wallets.entries()) {
      await harness.publisher.publish(outgoing('position.v1', samplePosition(wallet, 1, 'high')));
      await harness.changes(accountId, Array(at + 1).fill('active health_factor_warning'));
    }
    const [recovering] = wallets;
    await harness.publisher.publish(outgoing('position.v1', samplePosition(recovering!, 2, 'low')));
    await harness.changes(accountId, [
      ...Array<string>(5).fill('active health_factor_warning'),
      'resolved health_factor_warning',
    ]);
  }, 120_000);
  afterAll(() => harness.close());

  const positionsOf = (alerts: AlertItem[]) => alerts.map(({ positionId }) => positionId);
  const newestFirst = wallets.map((wallet) => samplePosition(wallet, 1, 'high').id).reverse();

  it("200 with the account's alerts, newest first", async () => {
    const { status, body } = await harness.list(accountId);
    expect(status).toBe(200);
    expect(positionsOf(body.alerts)).toEqual(newestFirst);
    expect(body.nextCursor).toBeNull();
    expect(body.alerts[0]).toMatchObject({
      type: 'health_factor_warning',
      severity: 'high',
      status: 'active',
      resolvedAt: null,
    });
  });

  it('503 when the database ends its statement', async () => {
    const client = await harness.pool.connect();
    try {
      await client.query('BEGIN; LOCK TABLE alerts IN ACCESS EXCLUSIVE MODE');
      const response = harness.list(accountId);
      await waitFor(
        async () => {
          const { rowCount } = await harness.pool.query(
            `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
             WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%FROM alerts%'`,
          );
          return rowCount === 1;
        },
        { message: 'the list waits for the table' },
      );
      const { status, headers, body } = await response;
      expect([status, headers.get('retry-after'), body.code]).toEqual([503, '1', 'upstream_unavailable']);
    } finally {
      await client.query('ROLLBACK').catch(() => undefined);
      client.release();
    }
  });

  it('200 with those of a status', async () => {
    expect(positionsOf((await harness.list(accountId, '?status=resolved')).body.alerts)).toEqual(
      newestFirst.slice(-1),
    );
    expect(positionsOf((await harness.list(accountId, '?status=active')).body.alerts)).toEqual(
      newestFirst.slice(0, -1),
    );
  });

  describe('200 with those that match', () => {
    const first = samplePosition(wallets[0]!, 1, 'high');
    const all = newestFirst;
    const one = [first.id];

    it.each([
      ['severity=high', all],
      ['severity=critical', []],
      ['type=health_factor_warning', all],
      ['type=price_move', []],
      [`wallet=${checksumAddress(first.wallet)}`, one],
      [`wallet=${first.wallet.toLowerCase()}`, one],
      [`wallet=${sampleWallet(99)}`, []],
      [`protocol=${first.protocol}`, all],
      ['protocol=compound-v3', []],
      [`chainId=${first.chainId}`, all],
      ['chainId=8453', []],
      [`positionId=${first.id}`, one],
      ['since=2020-01-01', all],
      ['since=2100-01-01', []],
      [`wallet=${first.wallet}&status=resolved&severity=high`, one],
      [`wallet=${first.wallet}&status=active`, []],
    ])('%s', async (query, expected) => {
      const { status, body } = await harness.list(accountId, `?${query}`);
      expect([status, positionsOf(body.alerts)]).toEqual([200, expected]);
    });

    it('since the opening of an alert', async () => {
      const [newest, second] = (await harness.list(accountId)).body.alerts;
      const { body } = await harness.list(accountId, `?since=${second!.createdAt}`);
      expect(positionsOf(body.alerts)).toEqual([newest!.positionId, second!.positionId]);
    });
  });

  it('200 page by page, each alert once', async () => {
    const seen: (string | null)[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const { body } = await harness.list(accountId, `?limit=2&cursor=${cursor}`);
      seen.push(...positionsOf(body.alerts));
      cursor = body.nextCursor;
    }
    expect(seen).toEqual(newestFirst);
  });

  it('200 without alerts of another account', async () => {
    expect((await harness.list(newAccount())).body).toEqual({ alerts: [], nextCursor: null });
  });

  it('400 for an unknown status, a limit out of range and a cursor of another list', async () => {
    for (const [query, field] of [
      ['?status=open', 'status'],
      ['?limit=0', 'limit'],
      ['?limit=201', 'limit'],
      ['?cursor=nonsense', 'cursor'],
      ['?severity=urgent', 'severity'],
      ['?type=warning', 'type'],
      ['?wallet=vitalik.eth', 'wallet'],
      ['?chainId=one', 'chainId'],
      ['?positionId=1', 'positionId'],
      ['?since=yesterday', 'since'],
    ]) {
      const { status, body } = await harness.list(accountId, query);
      expect([status, body.code, body.errors?.[0]?.field]).toEqual([400, 'invalid_request', field]);
    }
  });

  it('401 without the signed identity', async () => {
    const response = await harness.app.inject({ method: 'GET', url: '/v1/alerts' });
    expect(response.statusCode).toBe(401);
  });
});

describe('POST /v1/alerts/:id/acknowledge', () => {
  let harness: AlertsHarness;
  const accountId = newAccount();
  let alert: AlertItem;

  beforeAll(async () => {
    harness = await AlertsHarness.start();
    const wallet = sampleWallet(1);
    await harness.publisher.publish(outgoing('wallet.v1', sampleWatch(accountId, wallet)));
    await harness.publisher.publish(outgoing('position.v1', samplePosition(wallet, 1, 'high')));
    await harness.changes(accountId, ['active health_factor_warning']);
    alert = (await harness.list(accountId)).body.alerts[0]!;
  }, 120_000);
  afterAll(() => harness.close());

  const acknowledge = (id: string, account = accountId) =>
    harness.request<AcknowledgedAlert>('POST', `/v1/alerts/${id}/acknowledge`, { accountId: account });

  it('200 with the time of the first acknowledgement', async () => {
    expect(alert.acknowledgedAt).toBeUndefined();
    const { status, body } = await acknowledge(alert.id);
    expect([status, body.alert.id, body.alert.status]).toEqual([200, alert.id, 'active']);
    const at = body.alert.acknowledgedAt!;
    expect(Date.now() - Date.parse(at)).toBeLessThan(10_000);
    expect((await acknowledge(alert.id)).body.alert.acknowledgedAt).toBe(at);
    expect((await harness.list(accountId)).body.alerts[0]?.acknowledgedAt).toBe(at);
  });

  it('404 for an unknown alert and for one of another account', async () => {
    for (const [id, account] of [
      [newId('alt'), accountId],
      [alert.id, newAccount()],
    ] as const) {
      const { status, body } = await acknowledge(id, account);
      expect([status, body.code]).toEqual([404, 'not_found']);
    }
  });
});
