import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { AlertList, IncidentList, RiskQaAnswer } from '@plimsoll/contracts';
import { shockPrice } from '@plimsoll/devnet';
import { startOwnKafka, startOwnPostgres, startOwnRedis, waitFor } from '@plimsoll/testing';
import { type RecordedCall, type Recording, keyOf } from '../../apps/ai/test/replay/recorded-call';
import { SERVICES, type ReplayedService } from '../../apps/ai/test/replay/replay-server';
import { type ApiClient, apiClient } from '../platform/api-client';
import { type Platform, startPlatform } from '../platform/start-platform';
import { RECORDING } from './main';
import { marketOf } from './market';
import { questionsOf } from './questions';

/** Wallets that the account watches, with debt and without. */
const WATCHED = 26;
/** The requests that every question may need, whatever its topic. */
const GENERAL = [
  'What positions do I have? How many positions?',
  'What is the price of ETH?',
  'What is the price of BTC?',
  'What is the price of LINK?',
  'What is the price of USDC?',
  'What is the price of DAI?',
  'What is the risk index?',
  'How many active alerts do I have?',
  'How many incidents are open?',
  'What was the largest whale move in the last 24 hours?',
  'What is the TVL of aave-v3?',
  'What is the TVL of morpho-blue?',
];

/** Forwards requests to a service and stores the responses. */
interface Tap {
  origin: string;
  target: string;
  close(): void;
}

async function startTap(service: ReplayedService, calls: Map<string, RecordedCall>): Promise<Tap> {
  const tap: Tap = { origin: '', target: '', close: () => void server.close() };
  const server = createServer(async (request, response) => {
    try {
      const body = await text(request);
      const { host: _host, connection: _connection, ...headers } = request.headers;
      const answer = await fetch(tap.target + request.url, {
        method: request.method ?? 'GET',
        headers: headers as Record<string, string>,
        ...(body !== '' && { body }),
      });
      const raw = await answer.text();
      const key = keyOf(service, request.method ?? '', request.url ?? '', body);
      if (answer.status < 500 && raw !== '')
        calls.set(key, { key, status: answer.status, body: JSON.parse(raw) });
      response.writeHead(answer.status, { 'content-type': 'application/json' }).end(raw);
    } catch {
      response.writeHead(503).end();
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  tap.origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return tap;
}

/** Runs a platform, asks all questions, and records the responses of its services. The apps must be built. */
export async function main(): Promise<number> {
  const calls = new Map<string, RecordedCall>();
  const taps = new Map(
    await Promise.all(SERVICES.map(async (name) => [name, await startTap(name, calls)] as const)),
  );
  const [postgres, redis, kafka] = await Promise.all([startOwnPostgres(), startOwnRedis(), startOwnKafka()]);
  const origins = Object.fromEntries(
    SERVICES.map((name) => [`UPSTREAM_${name.toUpperCase().replaceAll('-', '_')}`, taps.get(name)!.origin]),
  );
  const parts = { databaseUrl: postgres.url, redisUrl: redis.url, kafkaBrokers: kafka.url };
  let platform: Platform | undefined;
  try {
    platform = await startPlatform(parts, origins);
    for (const name of SERVICES) taps.get(name)!.target = platform.services[name].url;
    const api = apiClient(platform.baseUrl, await platform.createKey('enterprise', 100_000));
    await prepare(platform, api);
    calls.clear();
    const recording = await record(api, calls);
    await writeFile(RECORDING, `${JSON.stringify(recording)}\n`);
    console.log(`${recording.calls.length} answers recorded in ${RECORDING}`);
    return 0;
  } finally {
    await platform?.stop();
    for (const tap of taps.values()) tap.close();
    await Promise.all([postgres, redis, kafka].map((part) => part.dispose()));
  }
}

/** Watches wallets and lowers prices, so that there are alerts and incidents. */
async function prepare(platform: Platform, api: ApiClient): Promise<void> {
  const borrowers = platform.wallets.filter(({ plan }) => plan.healthFactor !== null && !plan.eMode);
  const holders = platform.wallets.filter(({ plan }) => plan.healthFactor === null);
  const step = Math.floor(borrowers.length / (WATCHED - 2));
  const watched = [
    ...borrowers.filter((_, at) => at % step === 0).slice(0, WATCHED - 2),
    ...holders.slice(0, 2),
  ];
  for (const { address } of watched) await api.post('/wallets', { address });
  await waitFor(
    async () => {
      const { status } = await api.post<RiskQaAnswer>('/ai/risk-qa', { question: 'What is the risk index?' });
      const first = watched[0]!.address;
      const list = await api.get<{ positions: { id: string }[] }>(`/positions?wallet=${first}`);
      const [position] = list.body.positions;
      const score = position && (await api.get(`/positions/${position.id}/risk-score`));
      return status === 200 && score?.status === 200;
    },
    { timeoutMs: 120_000, message: 'the price histories exist' },
  );
  await shockPrice(platform.rpcUrl, platform.devnet, 'WETH', -6);
  await waitFor(
    async () => {
      const alerts = await api.get<AlertList>('/alerts?status=active');
      const incidents = await api.get<IncidentList>('/incidents?status=open');
      return alerts.body.alerts.length > 3 && incidents.body.incidents.length > 0;
    },
    { timeoutMs: 60_000, message: 'alerts and incidents are open' },
  );
}

async function record(api: ApiClient, calls: Map<string, RecordedCall>): Promise<Recording> {
  const atMs = Date.now();
  const taken = (): Recording => ({ atMs, calls: [...calls.values()] });
  const ask = (question: string) => api.post<RiskQaAnswer>('/ai/risk-qa', { question });
  for (const question of GENERAL) await ask(question);
  const { positions } = marketOf(taken());
  for (const { id, healthFactor } of positions.slice(0, 14)) {
    if (healthFactor === null) continue;
    await ask(`What is the risk score of ${id}?`);
    await ask(`What is the liquidation price of ${id}?`);
    await ask(`What is the probability of liquidation of ${id} within 7 days?`);
  }
  for (const { question } of questionsOf(marketOf(taken()))) await ask(question);
  for (const timeframe of ['24h', '7d', '30d']) await api.post('/ai/briefing', { timeframe });
  await api.post('/ai/suggestions', { maxCount: 20 });
  const { incidents } = marketOf(taken());
  for (const { id } of incidents) await api.post('/ai/postmortem', { incidentId: id });
  return taken();
}
