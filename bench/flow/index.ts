import { type StreamPosition, WEBHOOK_HEADERS, type WebhookEnvelope } from '@plimsoll/contracts';
import { assetListing, type SeedPlan, setPrice } from '@plimsoll/devnet';
import { startReceiver, waitFor, type Receiver } from '@plimsoll/testing';
import { apiClient } from '../../test/platform/api-client';
import type { Platform } from '../../test/platform/start-platform';
import { openStream, type StreamClient } from '../../test/platform/stream-client';
import { onPlatform } from './on-platform';
import { summary } from './percentile';
import { cpuMs, residentMb } from './process-usage';

export const description =
  'from the receipt of a price transaction to webhook and stream: fifty shocks, all on this machine';

const SHOCKS = 50;
/** Each shock lowers ETH by this factor, and so moves exactly one more position over the edge of its band. */
const STEP = 1.008;
const BAND_EDGE = 1.25;
const SETTLE_MS = 250;

/** Positions that cross the edge one after the other: WETH against USDC, each a step further away. */
const PLANS: readonly SeedPlan[] = Array.from({ length: SHOCKS }, (_, i) => ({
  label: `crosses at shock ${i + 1}`,
  suppliedUsd: 50_000,
  supplies: [{ symbol: 'WETH', share: 1, asCollateral: true }],
  borrows: [{ symbol: 'USDC', share: 1, rate: 'variable' }],
  // Half a step beside the edge, so that the interest of the run moves none over it too early.
  healthFactor: Math.round(BAND_EDGE * STEP ** (i + 0.5) * 1e6) / 1e6,
  eMode: false,
}));

/** Standard output contains only the result. */
const progress = (line: string): void => console.error(line);

interface Observation {
  alertCreatedMs: number;
  positionUpdatedMs: number;
  streamFrameMs: number;
}

/** The time of the webhook of this event about this wallet, after `since` (performance.now()). */
async function received(receiver: Receiver, event: string, wallet: string, since: number): Promise<number> {
  const request = await receiver.waitForRequest((candidate) => {
    if (candidate.receivedAtMs < since || candidate.headers[WEBHOOK_HEADERS.event] !== event) return false;
    const { data } = JSON.parse(candidate.body.toString()) as WebhookEnvelope<
      'alert.created' | 'position.updated'
    >;
    return ('position' in data ? data.position?.wallet : data.wallet) === wallet;
  }, 15_000);
  return request.receivedAtMs - since;
}

async function streamed(stream: StreamClient, wallet: string, since: number): Promise<number> {
  return waitFor(
    () => {
      const seen = stream.frames.find(
        ({ frame, receivedAtMs }) =>
          receivedAtMs >= since &&
          frame.type === 'event' &&
          (frame.data as StreamPosition).wallet === wallet &&
          (frame.data as StreamPosition).band === 'high',
      );
      return seen && seen.receivedAtMs - since;
    },
    { timeoutMs: 15_000, intervalMs: 2, message: `a stream frame about ${wallet}` },
  );
}

async function shock(
  platform: Platform,
  receiver: Receiver,
  stream: StreamClient,
  index: number,
): Promise<Observation> {
  const wallet = platform.wallets[index]!.address;
  const seededUsd = Number(assetListing('WETH').priceUsd) / 1e8;
  await setPrice(platform.rpcUrl, platform.devnet, 'WETH', seededUsd / STEP ** (index + 1));
  const receipt = performance.now();
  const [alertCreatedMs, positionUpdatedMs, streamFrameMs] = await Promise.all([
    received(receiver, 'alert.created', wallet, receipt),
    received(receiver, 'position.updated', wallet, receipt),
    streamed(stream, wallet, receipt),
  ]);
  return { alertCreatedMs, positionUpdatedMs, streamFrameMs };
}

/**
 * Measures from the receipt of a price transaction to alert.created and position.updated at a webhook
 * receiver and to the frame of a stream, everything on this machine: real Postgres, Redis, Kafka and EVM, the
 * five built services.
 */
export async function run(): Promise<object> {
  const receiver = await startReceiver();
  try {
    return await onPlatform(PLANS, progress, (platform) => measure(platform, receiver));
  } finally {
    await receiver.close();
  }
}

async function measure(platform: Platform, receiver: Receiver): Promise<object> {
  const key = await platform.createKey('enterprise', 10_000);
  const api = apiClient(platform.baseUrl, key);
  const services = Object.values(platform.services);
  const memoryMb = Object.fromEntries(services.map(({ name, pid }) => [name, residentMb(pid())]));
  for (const { address } of platform.wallets) await api.post('/wallets', { address });
  await api.post('/webhooks', { url: `${receiver.url}/hook`, events: ['alert.created', 'position.updated'] });
  const stream = await openStream(`${platform.streamsUrl}/positions`, key);
  const discovered = (): number =>
    receiver.requests.filter(({ headers }) => headers[WEBHOOK_HEADERS.event] === 'position.updated').length;
  await waitFor(() => stream.frames.length > 2 || discovered() > 0, {
    timeoutMs: 30_000,
    message: 'the watched positions',
  });

  const before = new Map(services.map(({ name, pid }) => [name, cpuMs(pid())]));
  const started = performance.now();
  const observations: Observation[] = [];
  for (let index = 0; index < SHOCKS; index += 1) {
    observations.push(await shock(platform, receiver, stream, index));
    if ((index + 1) % 10 === 0) progress(`${index + 1} of ${SHOCKS} shocks`);
    await new Promise((resolve) => setTimeout(resolve, SETTLE_MS));
  }
  stream.close();
  return {
    bench: 'flow',
    shocks: SHOCKS,
    positions: PLANS.length,
    wallMs: Math.round(performance.now() - started),
    fromReceiptMs: {
      alertCreated: summary(observations.map(({ alertCreatedMs }) => alertCreatedMs)),
      positionUpdated: summary(observations.map(({ positionUpdatedMs }) => positionUpdatedMs)),
      streamFrame: summary(observations.map(({ streamFrameMs }) => streamFrameMs)),
    },
    aimMs: { p50: 150, p99: 500 },
    cpuMs: Object.fromEntries(
      services.map(({ name, pid }) => [name, Math.round(cpuMs(pid()) - before.get(name)!)]),
    ),
    memoryMbAfterStart: memoryMb,
    webhooksReceived: receiver.requests.length,
  };
}
