import type { ProblemBody } from '@plimsoll/contracts';
import { WebSocket } from 'ws';
import openApi from '../../docs/openapi.json';
import { Browser } from '../attacks/browser';
import { startOwnPlatform, type Platform } from '../platform/start-platform';

interface Operation {
  method: string;
  /** Path with a valid id in place of each parameter. */
  path: string;
  query: string[];
  needsSession: boolean;
}

interface DocumentedOperation {
  parameters?: { name?: string; in?: string }[];
  security?: object[];
}

/** No key of this platform reaches an endpoint of the sandbox. */
const PATHS = Object.entries(openApi.paths).filter(([path]) => !path.startsWith('/v1/test/'));
const OPERATIONS: Operation[] = PATHS.flatMap(([path, item]) =>
  Object.entries(item as Record<string, DocumentedOperation>).map(
    ([method, { parameters = [], security }]) => ({
      method: method.toUpperCase(),
      path: path.replaceAll(/\{\w+\}/g, '01aBcDeFgHiJkLmNoPqRsT'),
      query: parameters.flatMap(({ name, in: place }) => (place === 'query' && name ? [name] : [])),
      needsSession: path.startsWith('/account/') && security?.length !== 0,
    }),
  ),
);
const isStream = ({ path }: Operation): boolean => /^\/v1\/streams\/(?!tickets)/.test(path);

/** Two ways to misspell a name: a missing letter, and two that changed places. */
function misspelled(name: string): string[] {
  const at = Math.floor(name.length / 2);
  const swapped = name.slice(0, at - 1) + name.charAt(at) + name.charAt(at - 1) + name.slice(at + 1);
  return [name.slice(0, -1), swapped].filter((each) => each !== name && each.length > 1);
}

describe('misspelled query parameters of every endpoint', () => {
  let platform: Platform;
  let key: string;
  let browser: Browser;

  beforeAll(async () => {
    platform = await startOwnPlatform();
    key = await platform.createKey('enterprise', 100_000);
    browser = await Browser.signedIn({ origin: new URL(platform.baseUrl).origin });
  }, 180_000);

  afterAll(async () => {
    await platform?.stop();
  }, 60_000);

  async function send({ method, path, needsSession }: Operation, query: string): Promise<string> {
    const headers: Record<string, string> = needsSession
      ? { cookie: browser.cookie, origin: new URL(platform.baseUrl).origin }
      : { 'x-api-key': key };
    const hasBody = method !== 'GET' && method !== 'DELETE';
    const response = await fetch(`${new URL(platform.baseUrl).origin}${path}?${query}`, {
      method,
      headers: { ...headers, ...(hasBody && { 'content-type': 'application/json' }) },
      ...(hasBody && { body: '{}' }),
      signal: AbortSignal.timeout(15_000),
    });
    return outcome(response.status, (await response.json()) as ProblemBody);
  }

  /** The first error. A required parameter that is misspelled is also missing. */
  const outcome = (status: number, { code, errors: [first] = [] }: ProblemBody): string =>
    `${status} ${code} ${first?.field} ${first?.code} ${first?.suggestion}`;

  const tested = OPERATIONS.filter((operation) => !isStream(operation));

  it.each(tested.map((operation) => [operation.method, operation.path, operation] as const))(
    '%s %s',
    async (_method, _path, operation) => {
      const wrong = [
        ['zzzzzzzzz', undefined],
        ...operation.query.flatMap((name) => misspelled(name).map((each) => [each, name])),
      ];
      const received = await Promise.all(wrong.map(([name]) => send(operation, `${name}=1`)));
      expect(received).toEqual(
        wrong.map(([name, nearest]) => `400 invalid_request ${name} unknown_parameter ${nearest}`),
      );
    },
  );

  it.each(OPERATIONS.filter(isStream).map(({ path }) => path))('%s', async (path) => {
    const { host } = new URL(platform.baseUrl);
    const socket = new WebSocket(`ws://${host}${path}?tiket=1`, { headers: { 'x-api-key': key } });
    const refused = await new Promise<string>((resolve, reject) => {
      socket.once('open', () => reject(new Error('the stream opened')));
      socket.once('error', reject);
      socket.once('unexpected-response', (_request, response) => {
        let text = '';
        response.on('data', (piece: Buffer) => (text += piece.toString()));
        response.on('end', () => resolve(outcome(response.statusCode ?? 0, JSON.parse(text) as ProblemBody)));
      });
    });
    expect(refused).toBe('400 invalid_request tiket unknown_parameter ticket');
  });

  it('covers every query parameter of the document', () => {
    expect(tested.flatMap(({ query }) => query).length).toBeGreaterThan(70);
  });
});
