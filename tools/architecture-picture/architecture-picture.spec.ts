import { readFileSync } from 'node:fs';
import path from 'node:path';
import { EVENTS, SERVICE_TOPICS } from '@plimsoll/contracts';
import { PICTURE_FILE } from './main';
import { architecturePicture } from './picture';
import { readServiceTopics } from './service-topics';

const ROOT = path.join(__dirname, '../..');
const read = (file: string): string => readFileSync(path.join(ROOT, file), 'utf8');
const services = readServiceTopics(ROOT);
const namesWith = (topic: string, role: 'publishes' | 'consumes'): string[] =>
  services.filter((service) => (service[role] as string[]).includes(topic)).map(({ service }) => service);

describe('docs/architecture/overview.svg', () => {
  it('shows the services and topics of the sources (npm run tool -- architecture-picture draws it)', () => {
    expect(read(PICTURE_FILE)).toBe(architecturePicture(services));
  });

  it('rejects a service without a place in the picture', () => {
    const extra = [...services, { service: 'new-service', publishes: [], consumes: [] }];
    expect(() => architecturePicture(extra)).toThrow('apps/new-service is not in the picture');
  });

  it('rejects a picture of a service that does not exist', () => {
    expect(() => architecturePicture(services.slice(1))).toThrow(`names ${services[0]!.service}`);
  });
});

describe('SERVICE_TOPICS', () => {
  it('names the topics of the sources', () => {
    const ofSources = services.map(({ service, ...topics }) => [service, topics]);
    expect(SERVICE_TOPICS).toEqual(Object.fromEntries(ofSources));
  });
});

describe('docs/events.md', () => {
  const rows = new Map(
    [...read('docs/events.md').matchAll(/^\| ([\w-]+\.v\d+) \| (.*) \|$/gm)].map(([, topic, rest]) => [
      topic,
      rest!.split(' |').map((cell) => cell.trim()),
    ]),
  );

  it('lists every topic', () => {
    expect([...rows.keys()].sort()).toEqual(Object.keys(EVENTS).sort());
  });

  it.each(Object.keys(EVENTS))('names kind, publisher and consumers of %s', (topic) => {
    const [kind, , publisher, consumers] = rows.get(topic) ?? [];
    expect(kind).toBe(EVENTS[topic as keyof typeof EVENTS].compacted ? 'compacted' : 'log');
    expect([publisher]).toEqual(namesWith(topic, 'publishes'));
    // A topic for other systems has none.
    expect((consumers ?? '').split(', ').filter(Boolean).sort()).toEqual(namesWith(topic, 'consumes'));
  });
});
