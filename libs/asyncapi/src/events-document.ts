import { EVENTS, type EventDefinition } from '@plimsoll/contracts';
import { type Json, LICENSE, plainSchema, ref } from './document';

const DESCRIPTION = `Kafka topics, for internal teams. Values are JSON. CloudEvents 1.0 headers in binary mode describe the event. A new version of an event is a new topic beside the old one. Compacted topics hold the latest full state of each key, and a tombstone deletes it. The other topics are logs. Events of one key are in order. Topics have no order between them.`;

const HEADERS = {
  type: 'object',
  required: ['ce_specversion', 'ce_id', 'ce_type', 'ce_source', 'ce_time', 'ce_subject'],
  properties: {
    ce_specversion: { type: 'string', const: '1.0' },
    ce_id: { type: 'string', description: 'The same for every delivery of the event.' },
    ce_type: { type: 'string', description: 'The topic.' },
    ce_source: { type: 'string', description: 'The service that published it.' },
    ce_time: { type: 'string', format: 'date-time' },
    ce_subject: { type: 'string', description: 'The key.' },
    'x-request-id': { type: 'string', description: 'Id of the request that caused it.' },
    traceparent: { type: 'string', description: 'W3C trace context.' },
  },
};

/**
 * Returns the AsyncAPI 3 document of the Kafka topics.
 * @param version major.minor.patch of the platform
 */
export function buildEventsDocument(version: string): Json {
  const events = Object.values(EVENTS) as EventDefinition<never>[];
  return {
    asyncapi: '3.0.0',
    info: {
      title: 'Plimsoll events',
      version,
      description: DESCRIPTION,
      license: LICENSE,
      tags: [{ name: 'Events', description: 'Events between the services.' }],
    },
    servers: {
      log: {
        host: '{brokers}',
        protocol: 'kafka',
        description: 'KAFKA_BROKERS of the platform.',
        variables: { brokers: { default: 'localhost:9092', description: 'host:port of a broker.' } },
      },
    },
    channels: Object.fromEntries(events.map((event) => [channelName(event), channel(event)])),
    operations: Object.fromEntries(
      events.map((event) => [
        `publish_${channelName(event)}`,
        {
          action: 'send',
          channel: ref(`channels/${channelName(event)}`),
          summary: `An event of ${event.topic} is published.`,
          messages: [ref(`channels/${channelName(event)}/messages/event`)],
        },
      ]),
    ),
    components: {
      messages: Object.fromEntries(events.map((event) => [channelName(event), message(event)])),
      schemas: { Headers: HEADERS },
    },
  };
}

/** Channel names must not contain dots. */
function channelName({ topic }: EventDefinition<never>): string {
  return topic.replace('.', '_');
}

function channel(event: EventDefinition<never>): Json {
  const { topic, compacted, partitions, retentionMs } = event;
  return {
    address: topic,
    summary: compacted ? 'The latest state of each key.' : 'A log.',
    messages: { event: ref(`components/messages/${channelName(event)}`) },
    bindings: {
      kafka: {
        topic,
        partitions,
        topicConfiguration: compacted
          ? { 'cleanup.policy': ['compact'] }
          : { 'cleanup.policy': ['delete'], 'retention.ms': retentionMs },
        bindingVersion: '0.5.0',
      },
    },
  };
}

function message({ topic, schema }: EventDefinition<never>): Json {
  return {
    name: topic,
    contentType: 'application/json',
    headers: ref('components/schemas/Headers'),
    payload: plainSchema(schema),
  };
}
