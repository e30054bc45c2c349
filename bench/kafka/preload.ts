import { readFileSync } from 'node:fs';
import path from 'node:path';
import { derivedId, EVENTS, newId, type EventDefinition, type EventValue } from '@plimsoll/contracts';
import { ensureTopics } from '@plimsoll/event-bus';
import { Kafka, logLevel, Partitioners } from '@plimsoll/kafkajs';
import type { BenchTopic } from './types';

const FIXTURES = path.join(__dirname, '../../libs/contracts/src/events/fixtures');
const KEYS = 1_000;
const BATCH = 500;

/** Creates event number `at` of a topic from the fixture. A thousand keys take turns. */
const VARY: { [T in BenchTopic]: (fixture: EventValue<T>, at: number) => EventValue<T> } = {
  'wallet.v1': (fixture, at) => ({ ...fixture, accountId: derivedId('acc', at % KEYS) }),
  'position.v1': (fixture, at) => ({
    ...fixture,
    id: derivedId('pos', at % KEYS),
    sequence: 1 + Math.floor(at / KEYS),
  }),
};

/** Fills the topic, with the headers of our events. Returns the mean size of a value in bytes. */
export async function preload(brokers: string[], topic: BenchTopic, messages: number): Promise<number> {
  const kafka = new Kafka({ brokers, clientId: 'bench-preload', logLevel: logLevel.NOTHING });
  const admin = kafka.admin();
  await admin.connect();
  await ensureTopics(admin, [topic], { deadLetters: true });
  await admin.disconnect();

  const message = messageMaker(topic);
  const producer = kafka.producer({ createPartitioner: Partitioners.DefaultPartitioner });
  await producer.connect();
  let bytes = 0;
  for (let start = 0; start < messages; start += BATCH) {
    const size = Math.min(BATCH, messages - start);
    const batch = Array.from({ length: size }, (_, at) => message(start + at));
    bytes += batch.reduce((sum, { value }) => sum + value.length, 0);
    await producer.send({ topic, messages: batch });
  }
  await producer.disconnect();
  return Math.round(bytes / messages);
}

function messageMaker<T extends BenchTopic>(topic: T) {
  const fixture = JSON.parse(readFileSync(path.join(FIXTURES, `${topic}.json`), 'utf8')) as EventValue<T>;
  const definition = EVENTS[topic] as EventDefinition<EventValue<T>>;
  return (at: number) => {
    const value = VARY[topic](fixture, at);
    const key = definition.keyOf(value);
    const headers = {
      ce_specversion: '1.0',
      ce_id: newId('evt'),
      ce_type: topic,
      ce_source: '/bench',
      ce_time: new Date().toISOString(),
      ce_subject: key,
      'content-type': 'application/json',
    };
    return { key, value: JSON.stringify(value), headers };
  };
}
