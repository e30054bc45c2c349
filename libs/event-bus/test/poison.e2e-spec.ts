import { newId, type AlertV1 } from '@plimsoll/contracts';
import type { Message } from 'kafkajs';
import { appendToOutbox, outgoing, type OutgoingEvent } from '../src';
import {
  createBus,
  eventually,
  effects,
  noteEffects,
  plainKafka,
  readTopic,
  type BusFixture,
  type Handle,
} from './bus-fixture';
import { alert } from './event-values';

const EVENTS = 10_000;
const KEYS = 50;

/** Fails for the alert titled `poison`, after the effects of its batch were written. */
const failOnPoison: Handle = async (batch) => {
  await noteEffects(batch);
  if (batch.events.some(({ value }) => (value as AlertV1).title === 'poison'))
    throw new Error('cannot digest it');
};

describe('a poison message', () => {
  let bus: BusFixture;

  beforeEach(async () => {
    bus = await createBus();
  });
  afterEach(() => bus.close());

  const parked = () => readTopic(bus.options, `${bus.options.topicPrefix}alert.v1.dlq`);
  const parkedWhen = async (count: number) => {
    await eventually(async () => (await parked()).length === count, { message: `${count} dead letters` });
    return parked();
  };
  const header = (message: { headers?: object } | undefined, name: string) =>
    String((message?.headers as Record<string, unknown> | undefined)?.[name]);

  it('among 10,000 becomes a dead letter with its reason; the others are handled exactly once and in order', async () => {
    const events: OutgoingEvent[] = [];
    for (let at = 0; at < EVENTS; at += 1) {
      events.push(outgoing('alert.v1', alert(at === 6_543 ? 'poison' : `alert ${at}`, at % KEYS)));
    }
    await appendToOutbox(bus.pool, events);
    const parkedCounts: number[] = [];
    await bus.startService(failOnPoison, {
      metrics: { parked: (_topic, count) => parkedCounts.push(count) },
    });
    await eventually(async () => (await effects(bus.pool)).length >= EVENTS - 1 && parkedCounts.length > 0, {
      message: 'all but one are handled',
      timeoutMs: 100_000,
      intervalMs: 200,
    });

    const handled = await effects(bus.pool);
    const poison = events[6_543];
    expect(handled).toHaveLength(EVENTS - 1);
    expect(new Set(handled).size).toBe(EVENTS - 1);
    expect(handled).not.toContain(poison?.eventId);
    const position = new Map(handled.map((id, at) => [id, at]));
    for (let key = 0; key < KEYS; key += 1) {
      const ofKey = events.filter((event, at) => at % KEYS === key && event !== poison);
      const positions = ofKey.map((event) => position.get(event.eventId) ?? -1);
      expect(positions).toEqual([...positions].sort((a, b) => a - b));
    }

    const letters = await parked();
    expect(letters).toHaveLength(1);
    expect(String(letters[0]?.value)).toBe(poison?.value);
    expect(header(letters[0], 'ce_id')).toBe(poison?.eventId);
    expect(header(letters[0], 'dlq-topic')).toBe('alert.v1');
    expect(header(letters[0], 'dlq-error')).toBe('Error: cannot digest it');
    expect(header(letters[0], 'dlq-attempts')).toBe('4');
    expect(header(letters[0], 'dlq-group')).toBe('bus-test');
    expect(header(letters[0], 'dlq-partition')).toMatch(/^\d+$/);
    expect(header(letters[0], 'dlq-offset')).toMatch(/^\d+$/);
  });

  it('that cannot be parsed becomes a dead letter, and its neighbours are handled', async () => {
    await bus.startService(noteEffects);
    const good = { ce_id: newId('evt'), ce_type: 'alert.v1' };
    const value = JSON.stringify(alert('fine'));
    const unreadable: Message[] = [
      { key: 'acc', value: '{"alertId":', headers: { ...good, ce_id: newId('evt') } },
      { key: 'acc', value: '{}', headers: { ...good, ce_id: newId('evt') } },
      { key: 'acc', value },
      { key: 'acc', value, headers: { ...good, ce_type: 'wallet.v1' } },
      { key: 'acc', value: null, headers: { ...good, ce_id: newId('evt') } },
    ];
    const producer = plainKafka(bus.options).producer();
    await producer.connect();
    await producer.send({
      topic: `${bus.options.topicPrefix}alert.v1`,
      messages: [...unreadable, { key: 'acc', value, headers: good }],
    });
    await producer.disconnect();

    await eventually(async () => (await effects(bus.pool)).length > 0, {
      message: 'the good one is handled',
    });
    expect(await effects(bus.pool)).toEqual([good.ce_id]);
    const letters = await parkedWhen(5);
    expect(letters.map((letter) => header(letter, 'dlq-error'))).toEqual([
      expect.stringMatching(/^invalid JSON/),
      expect.stringMatching(/^invalid schema: \//),
      'no ce_id header',
      'ce_type is wallet.v1, not alert.v1',
      'a tombstone in a log',
    ]);
    expect(letters.map((letter) => header(letter, 'dlq-attempts'))).toEqual(['0', '0', '0', '0', '0']);
  });

  it('is not created from events whose handler hides a failed statement', async () => {
    let hidden = 0;
    await bus.startService(async (batch) => {
      hidden += 1;
      await noteEffects(batch);
      await batch.tx.query('SELECT 1/0').catch(() => undefined);
    });
    await appendToOutbox(bus.pool, [outgoing('alert.v1', alert('hidden'))]);
    const letters = await parkedWhen(1);
    expect(header(letters[0], 'dlq-error')).toContain('A statement failed');
    expect(await effects(bus.pool)).toEqual([]);
    expect(hidden).toBe(4);
  });
});
