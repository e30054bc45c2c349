import { outgoing } from '@plimsoll/event-bus';
import { samplePosition, sampleWallet, sampleWatch } from '@plimsoll/testing';
import { Kafka, logLevel } from '@plimsoll/kafkajs';
import { AlertsHarness, newAccount } from './alerts-harness';

jest.setTimeout(60_000);

describe('a restart of alerts', () => {
  let harness: AlertsHarness;
  const accountId = newAccount();
  const wallet = sampleWallet(1);
  let sequence = 3;
  const at = (...[sequence, band]: [number, 'low' | 'high' | 'critical']) =>
    outgoing('position.v1', samplePosition(wallet, sequence, band));

  beforeAll(async () => {
    harness = await AlertsHarness.start();
  }, 120_000);
  afterAll(() => harness.close());

  it('processes events from the time when the service was down', async () => {
    await harness.publisher.publish(outgoing('wallet.v1', sampleWatch(accountId, wallet)), at(1, 'low'));
    await harness.handled(samplePosition(wallet, 1, 'low').id, 1);
    await harness.restart(() => harness.publisher.publish(at(2, 'high'), at(3, 'critical')));
    await harness.changes(accountId, ['active health_factor_warning']);
    await harness.changesBetween(accountId, ['escalated critical']);
  });

  it('keeps where a health factor comes from, and states it only for events that do', async () => {
    for (const [index, verification] of (['contract', undefined] as const).entries()) {
      const account = newAccount();
      const event = samplePosition(sampleWallet(2 + index), 1, 'high', verification && { verification });
      await harness.publisher.publish(
        outgoing('wallet.v1', sampleWatch(account, event.wallet)),
        outgoing('position.v1', event),
      );
      await harness.changes(account, ['active health_factor_warning']);
      const { alerts } = (await harness.list(account)).body;
      expect(alerts.map(({ position }) => position?.verification)).toEqual([verification]);
      const [row] = await harness.query<{ holdings: { verification?: string } }>(
        'SELECT holdings FROM positions WHERE id = $1',
        [event.id],
      );
      expect(row?.holdings.verification).toBe(verification);
    }
  });

  it.each(['with its inbox', 'with an inbox that has forgotten'])(
    'does not duplicate anything when it reads all events again %s',
    async (inbox) => {
      const before = await harness.query('SELECT * FROM alerts ORDER BY id');
      await harness.restart(async () => {
        if (inbox !== 'with its inbox') await harness.query('TRUNCATE inbox');
        await rewind(harness);
      });
      // After all repeated events of its partition.
      sequence += 1;
      await harness.publisher.publish(at(sequence, 'critical'));
      await harness.handled(samplePosition(wallet, 1, 'low').id, sequence);
      expect(await harness.query('SELECT * FROM alerts ORDER BY id')).toEqual(before);
      expect(harness.published(accountId)).toEqual(['active health_factor_warning']);
      await harness.changesBetween(accountId, ['escalated critical']);
    },
  );
});

/** The consumer group is deleted: a group of another name reads from offset 0. */
async function rewind({ kafka: log }: AlertsHarness): Promise<void> {
  const admin = new Kafka({ brokers: log.brokers, logLevel: logLevel.NOTHING }).admin();
  await admin.connect();
  try {
    await admin.deleteGroups([`${log.topicPrefix}alerts`]);
  } finally {
    await admin.disconnect();
  }
}
