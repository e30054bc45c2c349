import { type FollowOptions, type FollowedEvent, followEvents } from './events';
import type { StreamGap } from './frames';
import { OPERATIONS } from './generated/operations';
import { List, type Page } from './list';
import type { Method, OperationId } from './operation-types';
import { RESOURCES } from './resources';
import { Streams } from './streams';
import { type CallOptions, Transport, type TransportOptions } from './transport';

/** Where `npm start` serves the API. */
const LOCAL_URL = 'http://127.0.0.1:4000';
const TIMEOUT_MS = 30_000;
const MAX_RETRIES = 3;

export interface PlimsollOptions
  extends
    Pick<TransportOptions, 'onRequest' | 'onResponse'>,
    Partial<Pick<TransportOptions, 'timeoutMs' | 'maxRetries' | 'fetch'>> {
  /** The constructor throws a TypeError without one, except with `session`. */
  apiKey: string | undefined;
  /** For pages of the platform's own origin: the browser sends the cookie of its session, and no key is needed. */
  session?: boolean;
  /** The address of the API, with or without /v1. Default: http://127.0.0.1:4000, where `npm start` serves it. */
  baseUrl?: string;
}

type Resources = typeof RESOURCES;
type Api = {
  readonly [R in keyof Resources]: {
    readonly [M in keyof Resources[R]]: Resources[R][M] extends OperationId ? Method<Resources[R][M]> : never;
  };
};

/** A client of the API, with one method for each endpoint: `client.positions.list({ wallet })`. */
// The constructor makes every resource of the interface.
// oxlint-disable-next-line typescript/no-unsafe-declaration-merging
export interface Plimsoll extends Omit<Api, 'events'> {}
// oxlint-disable-next-line typescript/no-unsafe-declaration-merging
export class Plimsoll {
  /** The streams of the account (enterprise tier). */
  readonly streams: Streams;
  readonly events: Api['events'] & {
    /** Yields webhook events as they happen, like a stream, in every tier with webhooks. */
    follow(options?: FollowOptions): AsyncGenerator<FollowedEvent | StreamGap, void, undefined>;
  };
  /** Sends any request, for endpoints that are newer than this release. */
  readonly transport: Transport;

  constructor({ apiKey, session = false, baseUrl = LOCAL_URL, ...options }: PlimsollOptions) {
    if (!apiKey && !session)
      throw new TypeError('apiKey is missing. Create a key in the portal or with POST /account/v1/keys.');
    this.transport = new Transport({
      timeoutMs: TIMEOUT_MS,
      maxRetries: MAX_RETRIES,
      fetch: (...args) => fetch(...args),
      ...options,
      apiKey: session ? null : (apiKey ?? null),
      baseUrl: new URL(baseUrl).href.replace(/(\/v1)?\/*$/, ''),
    });
    const api = Object.entries(RESOURCES).map(([resource, methods]) => {
      const bound = Object.entries(methods).map(([name, id]) => [name, methodOf(this.transport, id)]);
      return [resource, Object.fromEntries(bound) as object] as const;
    });
    const { events, ...resources } = Object.fromEntries(api) as unknown as Api;
    Object.assign(this, resources);
    this.events = { ...events, follow: (following) => followEvents(events.list, following) };
    this.streams = new Streams(this.transport);
  }
}

type Values = Record<string, unknown>;

function methodOf(transport: Transport, id: OperationId) {
  const [method, path, query, list, takesIdempotencyKey, takesBody] = OPERATIONS[id];
  return (input: Values = {}, options: CallOptions = {}): unknown => {
    const send = (given: Values): Promise<unknown> =>
      transport.send({ ...place(path, query, takesBody, given), method, takesIdempotencyKey }, options);
    if (list === null) return send(input);
    return new List<Page & Values, unknown>(
      (cursor) => send(cursor === undefined ? input : { ...input, cursor }) as Promise<Page & Values>,
      (page) => (page[list] as unknown[] | undefined) ?? [],
    );
  };
}

/** Distributes the input over the path, the query and the body. */
function place(
  path: string,
  query: readonly string[],
  takesBody: boolean,
  input: Values,
): { path: string; body?: unknown } {
  const rest = { ...input };
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = rest[name];
    delete rest[name];
    // An empty segment would be another route.
    if ((typeof value !== 'string' && typeof value !== 'number') || value === '')
      throw new TypeError(`${name} is missing.`);
    return encodeURIComponent(value);
  });
  const search = new URLSearchParams();
  for (const name of query) {
    const value = rest[name];
    delete rest[name];
    if (value !== undefined && value !== null)
      search.set(name, Array.isArray(value) ? value.join(',') : String(value));
  }
  const text = search.toString();
  const [unknown] = Object.keys(rest);
  if (!takesBody && unknown !== undefined) throw new TypeError(`${path} has no parameter named ${unknown}.`);
  return { path: filled + (text && `?${text}`), ...(takesBody && { body: rest }) };
}
