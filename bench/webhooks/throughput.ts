import { percentile } from '../flow/percentile';
import { alertMessage } from './alert-messages';
import { wallMs } from './clock';
import type { TestBed } from './test-bed';

const TIMEOUT_MS = 120_000;

export interface Throughput {
  deliveries: number;
  /** The rate from the first published event to the last received request. */
  perSecond: number;
  cpuMsPerDelivery: { total: number; service: number; postgres: number; kafka: number };
  transactionsPerDelivery: number;
  doubles: number;
}

/**
 * Publishes events to an account with an endpoint for each path, and waits until all are delivered and
 * stored.
 */
export async function throughput(
  stand: TestBed,
  paths: readonly string[],
  events: number,
): Promise<Throughput> {
  const deliveries = events * paths.length;
  const account = await stand.register(paths);
  const messages = Array.from({ length: events }, () => alertMessage(account.accountId));
  await stand.receiver.forget();
  const [cpuBefore, transactionsBefore] = [await stand.cpuMs(), await transactions(stand)];
  const startedAtMs = wallMs();
  await stand.publisher.publish(messages);
  await stand.receiver.until(deliveries, TIMEOUT_MS);
  await stand.settled(TIMEOUT_MS);
  const [cpu, transactionsAfter] = [await stand.cpuMs(), await transactions(stand)];
  const arrivals = await stand.receiver.arrivals();
  const lastAtMs = arrivals.reduce((last, { atMs }) => Math.max(last, atMs), 0);
  const each = (part: keyof typeof cpu): number => (cpu[part] - cpuBefore[part]) / deliveries;
  const [service, postgres, kafka] = [each('service'), each('postgres'), each('kafka')];
  return {
    deliveries,
    perSecond: (deliveries / (lastAtMs - startedAtMs)) * 1_000,
    cpuMsPerDelivery: { total: service + postgres + kafka, service, postgres, kafka },
    transactionsPerDelivery: (transactionsAfter - transactionsBefore) / deliveries,
    doubles: arrivals.length - new Set(arrivals.map(({ deliveryId }) => deliveryId)).size,
  };
}

/** Medians over the rounds; all doubles. */
export function medians(rounds: readonly Throughput[]): Throughput {
  const median = (of: (round: Throughput) => number, digits: number): number =>
    Number(percentile(rounds.map(of), 0.5).toFixed(digits));
  return {
    deliveries: rounds[0]?.deliveries ?? 0,
    perSecond: median(({ perSecond }) => perSecond, 0),
    cpuMsPerDelivery: {
      total: median(({ cpuMsPerDelivery }) => cpuMsPerDelivery.total, 3),
      service: median(({ cpuMsPerDelivery }) => cpuMsPerDelivery.service, 3),
      postgres: median(({ cpuMsPerDelivery }) => cpuMsPerDelivery.postgres, 3),
      kafka: median(({ cpuMsPerDelivery }) => cpuMsPerDelivery.kafka, 3),
    },
    transactionsPerDelivery: median(({ transactionsPerDelivery }) => transactionsPerDelivery, 3),
    doubles: rounds.reduce((sum, { doubles }) => sum + doubles, 0),
  };
}

async function transactions({ pool }: TestBed): Promise<number> {
  const { rows } = await pool.query<{ commits: number }>(
    'SELECT xact_commit::int AS commits FROM pg_stat_database WHERE datname = current_database()',
  );
  return rows[0]?.commits ?? 0;
}
