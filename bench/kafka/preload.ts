import { readFileSync } from 'node:fs';
import path from 'node:path';
import { derivedId, EVENTS, newId, type PositionV1 } from '@plimsoll/contracts';
import { ensureTopics } from '@plimsoll/event-bus';
import { Kafka, logLevel, Partitioners } from 'kafkajs';

const FIXTURE = path.join(__dirname, '../../libs/contracts/src/events/fixtures/position.v1.json');
const POSITIONS = 1_000;
const BATCH = 500;

/** Fills position.v1 with the events of a thousand positions; returns the mean size of a value in bytes. */
export async function preload(brokers: string[], messages: number): Promise<number> {
  const kafka = new Kafka({ brokers, clientId: 'bench-preload', logLevel: logLevel.ERROR });
  const admin = kafka.admin();
  await admin.connect();
  await ensureTopics(admin, ['position.v1'], { deadLetters: true });
  await admin.disconnect();

  const fixture = JSON.parse(readFileSync(FIXTURE, 'utf8')) as PositionV1;
  const producer = kafka.producer({ createPartitioner: Partitioners.DefaultPartitioner });
  await producer.connect();
  let bytes = 0;
  for (let start = 0; start < messages; start += BATCH) {
    const batch = Array.from({ length: Math.min(BATCH, messages - start) }, (_, at) =>
      message(fixture, start + at),
    );
    bytes += batch.reduce((sum, { value }) => sum + value.length, 0);
    await producer.send({ topic: 'position.v1', messages: batch });
  }
  await producer.disconnect();
  return Math.round(bytes / messages);
}

function message(fixture: PositionV1, at: number) {
  const id = derivedId('pos', at % POSITIONS);
  const value: PositionV1 = { ...fixture, id, sequence: 1 + Math.floor(at / POSITIONS) };
  const headers = {
    ce_specversion: '1.0',
    ce_id: newId('evt'),
    ce_type: 'position.v1',
    ce_source: '/positions',
    ce_time: new Date().toISOString(),
    ce_subject: id,
    'content-type': 'application/json',
  };
  return { key: EVENTS['position.v1'].keyOf(value), value: JSON.stringify(value), headers };
}
