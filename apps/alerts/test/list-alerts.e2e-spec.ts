import {
  type AcknowledgedAlert,
  type AlertChangeV1,
  type AlertItem,
  type ProblemBody,
  checksumAddress,
  newId,
} from '@plimsoll/contracts';
import { outgoing } from '@plimsoll/event-bus';
import { Clock } from '@plimsoll/service-kit';
import { samplePosition, sampleWallet, sampleWatch, waitFor } from '@plimsoll/testing';
import { AlertSilences } from '../src/lifecycle/alert-silences.service';
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

    it('the wallets of a group', async () => {
      const [group, other] = [newId('wgr'), newId('wgr')];
      const of = async (query: string) =>
        positionsOf((await harness.list(accountId, `?walletGroupId=${query}`)).body.alerts);
      for (const [at, groupIds] of [[group], [group, other], []].entries())
        await harness.publisher.publish(
          outgoing('wallet.v1', { ...sampleWatch(accountId, wallets[at]!), groupIds }),
        );
      await waitFor(async () => (await of(group)).length === 2, { message: 'the groups are known' });
      const [first, second] = newestFirst.toReversed();
      expect(await of(group)).toEqual([second, first]);
      expect(await of(`${group}&limit=1`)).toEqual([second]);
      expect(await of(other)).toEqual([second]);
      expect(await of(`${group}&status=resolved`)).toEqual([first]);
      expect(await of(`${group}&wallet=${wallets[0]!}`)).toEqual([first]);
      expect(await of(`${group}&wallet=${wallets[2]!}`)).toEqual([]);
      expect(await of(newId('wgr'))).toEqual([]);
    });

    it('since the opening of an alert', async () => {
      const [newest, second] = (await harness.list(accountId)).body.alerts;
      const { body } = await harness.list(accountId, `?since=${second!.createdAt}`);
      expect(positionsOf(body.alerts)).toEqual([newest!.positionId, second!.positionId]);
    });
  });

  it('200 with the selected fields of each alert', async () => {
    const get = (query: string) =>
      harness.undocumented<{ alerts: object[]; errors?: object[] }>('GET', `/v1/alerts?${query}`, {
        accountId,
      });
    const [newest] = (await harness.list(accountId)).body.alerts;
    const { body } = await get('fields=id,severity,acknowledgedAt&limit=1');
    expect(body).toMatchObject({ nextCursor: expect.any(String) as string });
    expect(body.alerts).toEqual([{ id: newest!.id, severity: 'high' }]);
    expect(await get('fields=id,severty')).toMatchObject({
      status: 400,
      body: { errors: [{ field: 'fields', code: 'unknown_field', suggestion: 'severity' }] },
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
      ['?wallet=', 'wallet'],
      ['?chainId=one', 'chainId'],
      ['?chainId=9007199254740992', 'chainId'],
      ['?positionId=1', 'positionId'],
      ['?since=yesterday', 'since'],
      ['?silence=quiet', 'silence'],
      ['?walletGroupId=Treasury', 'walletGroupId'],
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

  describe('silences', () => {
    let wallets = 100;
    /** An account with one active alert about one position at the level. */
    const withAlert = async (level: 'high' | 'critical') => {
      const account = newAccount();
      const wallet = sampleWallet((wallets += 1));
      const type = level === 'high' ? 'health_factor_warning' : 'liquidation_risk';
      await harness.watch(account, wallet);
      let sequence = 0;
      const move = async (to: 'high' | 'critical' | 'low' | 'liquidatable'): Promise<void> => {
        sequence += 1;
        const position = samplePosition(wallet, sequence, to);
        await harness.publisher.publish(outgoing('position.v1', position));
        await harness.handled(position.id, sequence);
      };
      await move(level);
      await harness.changes(account, [`active ${type}`]);
      const [item] = (await harness.list(account)).body.alerts;
      const { id } = item!;
      const call = async (action: string, body?: object, as = account) =>
        harness.request<{ alert: AlertItem }>('POST', `/v1/alerts/${id}/${action}`, { accountId: as, body });
      return { account, id, type, move, call };
    };
    const changesOf = (account: string): AlertChangeV1[] =>
      harness.alertChanges.events.flatMap(({ value }) => (value?.accountId === account ? [value] : []));
    const shown = async (account: string) => (await harness.list(account)).body.alerts[0]!;
    /** An event of another account of the same topic follows all earlier ones of the service. */
    const settled = async (): Promise<void> => {
      const { account, move } = await withAlert('high');
      await move('critical');
      await harness.changesBetween(account, ['escalated critical']);
    };

    it('a snoozed alert publishes no change until the snooze ends, then its state', async () => {
      const { account, move, call } = await withAlert('critical');
      const { status, body } = await call('snooze', { minutes: 60 });
      expect([status, body.alert.silence]).toEqual([200, 'snoozed']);
      const leftMs = Date.parse(body.alert.snoozedUntil!) - Date.now();
      expect(leftMs).toBeGreaterThan(3_500_000);
      expect(leftMs).toBeLessThanOrEqual(3_600_000);
      await move('high');
      // The severity is that of the snooze again, not above it.
      await move('critical');
      await move('high');
      await settled();
      expect(changesOf(account)).toEqual([]);
      expect(await shown(account)).toMatchObject({ severity: 'high', silence: 'snoozed', revision: 4 });
      expect((await call('unsnooze')).body.alert.silence).toBeUndefined();
      await harness.changesBetween(account, ['updated high']);
      expect(changesOf(account)).toMatchObject([
        {
          severity: 'high',
          previousSeverity: 'critical',
          previousLevel: 'critical',
          silenceEnded: 'snoozed',
          revision: 5,
        },
      ]);
      const { title, message, updatedAt, healthFactor } = await shown(account);
      expect(changesOf(account)).toMatchObject([{ title, message, updatedAt, content: { healthFactor } }]);
    });

    it('a snooze ends by itself', async () => {
      const { account, call } = await withAlert('high');
      const until = new Date(Date.now() + 500).toISOString();
      expect((await call('snooze', { until })).body.alert.snoozedUntil).toBe(until);
      await harness.changesBetween(account, ['updated high']);
      expect(changesOf(account)[0]!.silenceEnded).toBe('snoozed');
      expect((await shown(account)).silence).toBeUndefined();
    });

    /** Another transaction changes the alert, and commits when statements like this one wait for it. */
    const whileLocked = async (id: string, change: string, waiting: string, work: () => Promise<unknown>) => {
      const client = await harness.pool.connect();
      try {
        await client.query('BEGIN');
        await client.query(`UPDATE alerts SET ${change} WHERE id = $1`, [id]);
        const done = work();
        // Not by its own connection, because a transaction sees one state of the activity.
        const sql = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock' AND query ILIKE $1`;
        await waitFor(async () => (await harness.query(sql, [waiting])).length > 0, {
          message: 'a statement waits',
        });
        await client.query('COMMIT');
        await done;
      } finally {
        client.release();
      }
    };

    it('a snooze ends once when several pollers, an acknowledgement and the account end it at the same moment', async () => {
      const { account, call } = await withAlert('high');
      const { id } = (await call('snooze', { minutes: 60 })).body.alert;
      const clock = harness.part(Clock);
      const now = clock.now.bind(clock);
      const silences = harness.part(AlertSilences);
      await whileLocked(id, 'acknowledged_at = now()', '%WITH ended%', async () => {
        clock.now = () => now() + 61 * 60_000;
        const ends = [1, 2, 3].map(() => silences.endDue(100));
        clock.now = now;
        await Promise.all([...ends, call('unsnooze'), call('acknowledge')]);
      });
      await settled();
      expect(changesOf(account)).toMatchObject([{ change: 'updated', silenceEnded: 'snoozed' }]);
      const { silence, acknowledgedAt, revision } = await shown(account);
      expect([silence, typeof acknowledgedAt, revision]).toEqual([undefined, 'string', 2]);
    });

    it('409 for an alert that resolves at the same moment', async () => {
      const { account, call, id } = await withAlert('high');
      const resolved = `resolved_at = now(), resolve_reason = 'recovered'`;
      await whileLocked(id, resolved, '%SET silence = $2%', async () => {
        const { status, body } = await call('mute');
        expect([status, (body as unknown as ProblemBody).code]).toEqual([409, 'conflict']);
      });
      expect((await shown(account)).silence).toBeUndefined();
    });

    it('a higher severity ends a snooze and is published', async () => {
      const { account, move, call } = await withAlert('high');
      await call('snooze', { minutes: 60 });
      await move('critical');
      await harness.changesBetween(account, ['escalated critical']);
      expect((await shown(account)).silence).toBeUndefined();
      await move('high');
      await harness.changesBetween(account, ['escalated critical', 'updated high']);
    });

    it('a fall below 1 opens an alert of its own', async () => {
      const { account, move, call, type } = await withAlert('critical');
      await call('mute');
      await move('liquidatable');
      await harness.changes(account, [`active ${type}`, `resolved ${type}`, `active ${type}`]);
      const { alerts } = (await harness.list(account)).body;
      expect(alerts.map(({ silence }) => silence)).toEqual([undefined, undefined]);
    });

    it('a muted alert publishes no change until it is unmuted', async () => {
      const { account, move, call } = await withAlert('high');
      expect((await call('mute')).body.alert).toMatchObject({ silence: 'muted' });
      await move('critical');
      await settled();
      expect(changesOf(account)).toEqual([]);
      expect((await call('unsnooze')).body.alert.silence).toBe('muted');
      await call('unmute');
      await call('unmute');
      await settled();
      expect(changesOf(account)).toMatchObject([
        { severity: 'critical', previousSeverity: 'high', silenceEnded: 'muted' },
      ]);
    });

    it('its end is published, and then nothing can be silenced', async () => {
      const { account, move, call, type } = await withAlert('high');
      await call('mute');
      await move('low');
      await harness.changes(account, [`active ${type}`, `resolved ${type}`]);
      expect((await shown(account)).silence).toBeUndefined();
      const answers = [await call('mute'), await call('snooze', { minutes: 1 }), await call('unmute')];
      expect(answers.map(({ status }) => status)).toEqual([409, 409, 200]);
    });

    it('the list filters by it', async () => {
      const { account, id, call } = await withAlert('high');
      const idsOf = async (silence: string) =>
        (await harness.list(account, `?silence=${silence}`)).body.alerts.map((alert) => alert.id);
      expect([await idsOf('none'), await idsOf('muted')]).toEqual([[id], []]);
      await call('mute');
      expect([await idsOf('none'), await idsOf('muted'), await idsOf('snoozed')]).toEqual([[], [id], []]);
      await call('snooze', { minutes: 1 });
      expect([await idsOf('muted'), await idsOf('snoozed')]).toEqual([[], [id]]);
    });

    it('400 for another time, 404 for the alert of another account', async () => {
      const { call } = await withAlert('high');
      const in8Days = new Date(Date.now() + 8 * 86_400_000).toISOString();
      for (const [body, field] of [
        [{}, 'until'],
        [{ minutes: 5, until: in8Days }, 'until'],
        [{ until: in8Days }, 'until'],
        [{ until: '2026-01-01' }, 'until'],
        [{ until: 'tomorrow' }, 'until'],
        [{ minutes: 0 }, 'minutes'],
        [{ minutes: 10_081 }, 'minutes'],
      ] as const) {
        const { status, body: problem } = await harness.undocumented<ProblemBody>(
          'POST',
          `/v1/alerts/${(await call('unmute')).body.alert.id}/snooze`,
          { accountId, body },
        );
        expect([status, problem.errors?.[0]?.field]).toEqual([400, field]);
      }
      for (const action of ['snooze', 'unsnooze', 'mute', 'unmute'])
        expect(
          (await call(action, action === 'snooze' ? { minutes: 1 } : undefined, newAccount())).status,
        ).toBe(404);
    });
  });
});
