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

/** Rules of the streams that the frame schemas cannot express. */
const STREAMS_DESCRIPTION = `Real-time changes of an account's positions and alerts, and whale activity. Positions and alerts only come from the account’s watched wallets. A stream never sends data of another account. Whale activity is the same for all accounts. A filter only narrows a stream.

**Connect** with an API key in the handshake’s headers. A refused handshake receives a plain HTTP response before the upgrade: 401, 403 (tier or scope), 429, 503 with Retry-After. One text message is one JSON object with a \`type\`. The limits are 100 connections of an account over all instances, 128 subscriptions per connection, 16 KiB per message and 10 messages a second to the service.

**Subscribe** with an id of your own. The positions stream begins with a snapshot. Each event follows once per connection, for any number of matching subscriptions. \`riskLevel\` is the level of the figures beside it, by the thresholds in \`welcome\`. \`band\` adds a hysteresis of 0.02 for notifications.

**Resume**: keep the \`cursor\` of the last event or heartbeat. After a reconnect to any instance, send it as \`since\`. Every missed event comes once, in the order of its position (or account, or whale wallet), then \`resumed\` with \`recovered: true\`. When the cursor is older than the window (10 minutes by default), the service sends \`gap\`, \`resumed\` with \`recovered: false\`, and for positions a new snapshot. A cursor belongs to the whole connection: use the latest one for all its subscriptions.

**Slow clients**: above 256 KiB of unsent data, the service conflates positions to the latest state of each (\`conflated: true\`). It never conflates alerts and whale activity. Above 1 MiB, or after 10 s without progress, it closes the connection with 4008, and the client can resume.

**Heartbeats** have a number that increases by one, and a cursor. A WebSocket ping comes with each. Without a pong before the next one, the service closes the connection with 4012.

**Close codes**: after 4000–4499 reconnect (4001 draining, 4005 key rotated, 4008 slow, 4012 no pong). After 4500–4999 do not (4501 bad request, 4503 tier or scope, 4504 connection limit, 4505 key revoked or expired, 4506 session ended, 4507 account ended). A stream closes within a second of the end of its key, its session or its account, and of a change to a tier without streams.

**Socket.IO** (version 4 clients, WebSocket transport) works on the same paths. Each frame is an event with the name of its type and the frame as its payload. Clients emit \`subscribe\`, \`unsubscribe\` and \`ping\`. Socket.IO hides close codes, so a \`closing\` frame reports them.`;

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
