import { type Endpoint, ENDPOINTS } from '@plimsoll/access';
import {
  STREAMS,
  STREAM_CLIENT_FRAMES,
  STREAM_CLOSE,
  STREAM_SERVER_FRAMES,
  StreamAlert,
  type StreamName,
  StreamPosition,
  StreamWhale,
} from '@plimsoll/contracts';
import type { TSchema } from '@sinclair/typebox';
import { type Json, LICENSE, plainSchema, ref } from './document';
import { STREAMS_DESCRIPTION } from './streams-description';

const DATA: Record<StreamName, { name: string; schema: TSchema }> = {
  positions: { name: 'StreamPosition', schema: StreamPosition },
  alerts: { name: 'StreamAlert', schema: StreamAlert },
  whales: { name: 'StreamWhale', schema: StreamWhale },
};
/** Frames that a stream does not send. */
const NEVER_SENT: Record<StreamName, readonly string[]> = {
  positions: [],
  alerts: ['snapshot'],
  whales: ['snapshot'],
};

/**
 * Returns the AsyncAPI 3 document of the streams from the client's point of view.
 * @param version major.minor.patch of the service
 */
export function buildStreamsDocument(version: string): Json {
  return {
    asyncapi: '3.0.0',
    info: {
      title: 'Plimsoll streams',
      version,
      description: STREAMS_DESCRIPTION,
      license: LICENSE,
      tags: [{ name: 'Streams', description: 'Changes in real time, for enterprise accounts.' }],
    },
    servers: {
      gateway: {
        host: '{host}',
        protocol: 'wss',
        description: 'The gateway that serves this document.',
        variables: { host: { default: 'localhost:4000', description: 'Host and port of the gateway.' } },
        security: [ref('components/securitySchemes/ApiKey'), ref('components/securitySchemes/Bearer')],
      },
    },
    channels: Object.fromEntries(STREAMS.map((stream) => [stream, channel(stream)])),
    operations: Object.fromEntries(STREAMS.flatMap((stream) => operations(stream))),
    components: {
      messages: Object.fromEntries([...STREAMS.flatMap(serverMessages), ...clientMessages()]),
      schemas: Object.fromEntries(Object.values(DATA).map(({ name, schema }) => [name, plainSchema(schema)])),
      securitySchemes: {
        ApiKey: {
          type: 'httpApiKey',
          in: 'header',
          name: 'x-api-key',
          description: 'An API key of the account, in the handshake.',
        },
        Bearer: { type: 'http', scheme: 'bearer', description: 'The same API key as a bearer token.' },
      },
    },
  };
}

function channel(stream: StreamName): Json {
  const { path, tier, scope } = endpointOf(stream);
  const messages = [...sentNames(stream), ...Object.keys(STREAM_CLIENT_FRAMES)];
  return {
    address: path,
    title: `The ${stream} stream`,
    summary: `Needs the ${tier} tier and the scope ${scope}.`,
    messages: Object.fromEntries(
      messages.map((name) => [name, ref(`components/messages/${messageName(stream, name)}`)]),
    ),
    bindings: { ws: { method: 'GET', bindingVersion: '0.1.0' } },
    'x-tier': tier,
    'x-scope': scope,
    'x-close-codes': STREAM_CLOSE,
  };
}

function operations(stream: StreamName): [string, Json][] {
  const messages = (names: readonly string[]): Json[] =>
    names.map((name) => ref(`channels/${stream}/messages/${name}`));
  const title = stream[0]?.toUpperCase() + stream.slice(1);
  return [
    [
      `send${title}`,
      {
        action: 'send',
        channel: ref(`channels/${stream}`),
        summary: `Messages of the service on the ${stream} stream.`,
        messages: messages(sentNames(stream)),
      },
    ],
    [
      `receive${title}`,
      {
        action: 'receive',
        channel: ref(`channels/${stream}`),
        summary: `Messages that a client may send on the ${stream} stream.`,
        messages: messages(Object.keys(STREAM_CLIENT_FRAMES)),
      },
    ],
  ];
}

function sentNames(stream: StreamName): string[] {
  return Object.keys(STREAM_SERVER_FRAMES).filter((name) => !NEVER_SENT[stream].includes(name));
}

/** A message whose payload differs between streams has a separate name for each stream. */
function messageName(stream: StreamName, frame: string): string {
  return frame === 'event' || frame === 'snapshot' ? `${stream}.${frame}` : frame;
}

function serverMessages(stream: StreamName): [string, Json][] {
  return sentNames(stream).map((name) => {
    const schema = STREAM_SERVER_FRAMES[name as keyof typeof STREAM_SERVER_FRAMES];
    return [messageName(stream, name), message(name, schema, stream)];
  });
}

function clientMessages(): [string, Json][] {
  return Object.entries(STREAM_CLIENT_FRAMES).map(([name, schema]) => [name, message(name, schema)]);
}

function message(name: string, schema: TSchema, stream?: StreamName): Json {
  const payload = plainSchema(schema) as { description?: string; properties: Json };
  const { description, ...rest } = payload;
  return {
    name,
    contentType: 'application/json',
    ...(description && { summary: description }),
    payload: { ...rest, properties: withData(name, payload.properties, stream) },
  };
}

function withData(name: string, properties: Json, stream: StreamName | undefined): Json {
  if (!stream || (name !== 'event' && name !== 'snapshot')) return properties;
  const data = ref(`components/schemas/${DATA[stream].name}`);
  return { ...properties, data: name === 'snapshot' ? { type: 'array', items: data } : data };
}

function endpointOf(stream: StreamName): Endpoint {
  const endpoint = ENDPOINTS.find(({ path }) => path === `/v1/streams/${stream}`);
  if (!endpoint) throw new Error(`/v1/streams/${stream} has no row in libs/access/src/endpoints.ts`);
  return endpoint;
}
