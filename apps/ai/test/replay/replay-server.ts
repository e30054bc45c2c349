import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { IDENTITY_HEADER } from '@plimsoll/contracts';
import { type RecordedCall, type Recording, keyOf } from './recorded-call';

/** The services that facts are read from. */
export const SERVICES = ['positions', 'simulation', 'market-data', 'alerts', 'whales'] as const;
export type ReplayedService = (typeof SERVICES)[number];

type Shown = RecordedCall | null | undefined;

/** Changes or delays a response before it is sent. Undefined: as recorded. null: the service is down. */
export type Overlay = (call: RecordedCall) => Shown | Promise<Shown>;

/** Takes the place of the services, and sends their recorded responses. */
export interface ReplayServer {
  /** The origin of a service. */
  origin(service: ReplayedService): string;
  /** The keys of all calls so far. */
  calls: string[];
  /** Requested keys that were not recorded. */
  unknown: Set<string>;
  overlay: Overlay;
  /** Responds to a call that was not recorded. Undefined: it is unknown. */
  unrecorded: (key: string) => RecordedCall | undefined;
  close(): Promise<void>;
}

export async function startReplay({ calls }: Recording): Promise<ReplayServer> {
  const byKey = new Map(calls.map((call) => [call.key, call]));
  const ports = new Map<ReplayedService, number>();
  const replay: ReplayServer = {
    origin: (service) => `http://127.0.0.1:${ports.get(service)}`,
    calls: [],
    unknown: new Set(),
    overlay: () => undefined,
    unrecorded: () => undefined,
    close: async () => {
      await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
    },
  };
  const servers = await Promise.all(
    SERVICES.map(async (service) => {
      const server = createServer((request, response) => void answer(service, request, response));
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      ports.set(service, (server.address() as AddressInfo).port);
      return server;
    }),
  );
  const send = (response: ServerResponse, status: number, body: unknown): void => {
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  };
  async function answer(
    service: ReplayedService,
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> {
    const key = keyOf(service, request.method ?? '', request.url ?? '', await text(request));
    replay.calls.push(key);
    if (request.headers[IDENTITY_HEADER] === undefined) return send(response, 401, {});
    const call = byKey.get(key) ?? replay.unrecorded(key) ?? unseen(key);
    if (!call) {
      replay.unknown.add(key);
      return send(response, 503, {});
    }
    const shown = await replay.overlay(call);
    if (shown === null) return send(response, 503, {});
    return send(response, (shown ?? call).status, (shown ?? call).body);
  }
  return replay;
}

/** An unknown record is always 404. */
function unseen(key: string): RecordedCall | null {
  const isRecord =
    /^(?:positions|alerts|market-data) GET \/v1\/(?:positions|incidents|protocols)\/[^/?]+$/.test(key);
  return isRecord ? { key, status: 404, body: {} } : null;
}
