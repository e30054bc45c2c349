import { setTimeout as delay } from 'node:timers/promises';
import { findFreePort, type RunningPart } from '@plimsoll/local-parts';
import { collectEvents, waitFor } from '@plimsoll/testing';
import { percentile, summary } from '../flow/percentile';
import { type GatewayStack, progress, startGatewayStack } from '../gateway/gateway-stack';
import { LoadClient } from '../gateway/load';
import { startBuiltApp } from '../gateway/start-node';
import { type TickingSource, answerOf, startTickingSource } from './ticking-source';

export const description =
  'GET /v1/prices of 20 symbols through the gateway, and ticks from a source to price.v1; one process each';

const SYMBOLS =
  'ETH,BTC,STETH,WSTETH,RETH,CBETH,WEETH,CBBTC,LINK,AAVE,UNI,CRV,MKR,COMP,SNX,USDC,USDT,DAI,USDS,GHO';
const PATH = `/v1/prices?symbols=${SYMBOLS}`;
const WARM_UP_SECONDS = 3;
const SECONDS = 10;
const CONNECTIONS = 32;
/**
 * The share of the measured maximum for the latency: the maximum itself would measure a queue of the
 * connections.
 */
const FIXED_SHARE = 0.5;
/** The shortest poll interval of the source. */
const FASTEST_POLL_MS = '10';

/** Runs the bench. It has no options. */
export async function run(): Promise<Record<string, unknown>> {
  const stack = await startGatewayStack(1);
  const source = await startTickingSource();
  try {
    const rest = await measureRest(stack, source);
    const ticks = await measureTicks(stack, source);
    return { bench: 'prices', node: process.version, rest, ticks, passed: true };
  } finally {
    source.close();
    await stack.stop();
  }
}

async function startMarketData(
  stack: GatewayStack,
  source: TickingSource,
  env: Record<string, string>,
): Promise<RunningPart> {
  return startBuiltApp('market-data', await findFreePort(), 'market-data', stack.folder, {
    ...stack.environment,
    COINGECKO_URL: source.url,
    // The bench does not measure the history.
    HISTORY_LOOK_MS: '3600000',
    ...env,
  });
}

async function measureRest(stack: GatewayStack, source: TickingSource): Promise<Record<string, unknown>> {
  const market = await startMarketData(stack, source, { COINGECKO_POLL_MS: '1000' });
  const gateway = await stack.startGateway({ UPSTREAM_MARKET_DATA: market.url });
  const { key } = await stack.createAccount('enterprise', 10_000_000);
  const headers: [string, string][] = [['x-api-key', key]];
  await waitFor(
    async () => {
      const response = await fetch(gateway.url + PATH, { headers, signal: AbortSignal.timeout(2_000) });
      const { prices } = (await response.json()) as { prices?: object };
      return Object.keys(prices ?? {}).length === 20;
    },
    { timeoutMs: 30_000, message: 'all 20 prices are known' },
  );
  const client = LoadClient.start();
  const load = { ports: [Number(new URL(gateway.url).port)], path: PATH, headers, connections: CONNECTIONS };
  progress('GET /v1/prices: warm-up, then at full speed, then at half of that');
  await client.run({ ...load, seconds: WARM_UP_SECONDS });
  const full = await client.run({ ...load, seconds: SECONDS });
  const perSecond = (full.answers * 1_000) / full.elapsedMs;
  const steady = await client.run({ ...load, seconds: SECONDS, perSecond: perSecond * FIXED_SHARE });
  client.stop();
  await market.stop();
  const statuses = { ...full.statuses, ...steady.statuses };
  if (Object.keys(statuses).join() !== '200') throw new Error(`responses were ${JSON.stringify(statuses)}`);
  return {
    symbols: 20,
    connections: CONNECTIONS,
    requestsPerSecond: Math.round(perSecond),
    p99MsAtFull: Math.round(percentile(full.latenciesMs, 0.99) * 10) / 10,
    fixedPerSecond: Math.round(perSecond * FIXED_SHARE),
    latencyMsAtFixed: summary(steady.latenciesMs),
  };
}

async function measureTicks(stack: GatewayStack, source: TickingSource): Promise<Record<string, unknown>> {
  const log = { brokers: [stack.environment['KAFKA_BROKERS'] ?? ''], topicPrefix: '' };
  const events = await collectEvents(log, 'price.v1');
  const market = await startMarketData(stack, source, {
    COINGECKO_POLL_MS: FASTEST_POLL_MS,
    PRICE_MOVE_BPS: '0',
  });
  progress('ticks: warm-up, then at the shortest poll interval');
  const from = events.events.length;
  await waitFor(() => events.events.length > from + 300, {
    timeoutMs: 30_000,
    message: 'prices are published',
  });
  await delay(WARM_UP_SECONDS * 1_000);
  const [published, ticks, sinceMs] = [events.events.length, source.ticks, performance.now()];
  const latenciesMs: number[] = [];
  let seen = published;
  while (performance.now() - sinceMs < SECONDS * 1_000) {
    await delay(1);
    const nowMs = performance.now();
    for (; seen < events.events.length; seen += 1) {
      const answeredAtMs = source.answeredAtMs[answerOf(events.events[seen]?.value?.priceUsd ?? 0)];
      if (answeredAtMs !== undefined) latenciesMs.push(nowMs - answeredAtMs);
    }
  }
  const seconds = (performance.now() - sinceMs) / 1_000;
  const result = {
    ticksPerSecond: Math.round((source.ticks - ticks) / seconds),
    publishedPerSecond: Math.round((events.events.length - published) / seconds),
    sourceToEventMs: summary(latenciesMs),
  };
  await market.stop();
  await events.stop();
  return result;
}
