import { parseArgs } from 'node:util';
import { wallMs } from '../webhooks/clock';
import { startTestBed, type TestBed } from '../webhooks/test-bed';
import { publishSteadily } from '../webhooks/steady-load';

export const description =
  'webhook deliveries when the service, its connections or the broker are killed [--rate N] [--seconds N] [--only service,connections,broker] [--repeat N]';

/** This number handles the load within the limit of one endpoint. */
const ENDPOINTS = 4;
const PATH = '/hang/200';
const FAULT_AFTER_SECONDS = 5;
const TIMEOUT_MS = 60_000;
const FLOWS_AGAIN_MS = 5_000;

interface Fault {
  break(stand: TestBed): Promise<void>;
  mend(stand: TestBed): Promise<void>;
}

const FAULTS: Record<string, Fault> = {
  service: {
    break: ({ service }) => service.kill9(),
    mend: ({ service }) => service.start(),
  },
  connections: {
    break: async ({ pool }) => {
      await pool.query(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
         WHERE datname = current_database() AND application_name = 'plimsoll-webhook_delivery'`,
      );
    },
    mend: () => Promise.resolve(),
  },
  broker: {
    break: ({ kafka }) => kafka.kill9(),
    mend: (stand) => stand.restartKafka(),
  },
};

/** Each fault in the middle of a steady load, against endpoints that take 200 ms. */
export async function run(args: string[]): Promise<object> {
  const { values } = parseArgs({
    args,
    options: {
      rate: { type: 'string', default: '300' },
      seconds: { type: 'string', default: '15' },
      only: { type: 'string', default: Object.keys(FAULTS).join() },
      repeat: { type: 'string', default: '1' },
    },
  });
  const [perSecond, seconds] = [Number(values.rate), Number(values.seconds)];
  const chosen = values.only.split(',').map((name) => {
    const fault = FAULTS[name];
    if (!fault)
      throw new Error(`There is no fault named ${name}. Take some of ${Object.keys(FAULTS).join()}.`);
    return { name, fault };
  });
  const stand = await startTestBed();
  try {
    const faults: Record<string, object[]> = {};
    for (const { name, fault } of chosen) {
      faults[name] = [];
      for (let round = 0; round < Number(values.repeat); round += 1) {
        console.error(`${name} killed at ${perSecond} events a second`);
        faults[name].push(await underLoad(stand, `${name}-${round}`, fault, perSecond, seconds));
      }
    }
    return {
      bench: 'crash',
      perSecond,
      answerMs: 200,
      faults,
      reach: { lost: 0, flowsAgainMs: FLOWS_AGAIN_MS },
    };
  } finally {
    await stand.close();
  }
}

/** @param name of the round, for the paths of its endpoints */
async function underLoad(
  stand: TestBed,
  name: string,
  fault: Fault,
  perSecond: number,
  seconds: number,
): Promise<object> {
  const accountIds: string[] = [];
  for (let i = 0; i < ENDPOINTS; i += 1) {
    accountIds.push((await stand.register([`${PATH}/${name}/${i}`])).accountId);
  }
  await stand.receiver.forget();
  const load = publishSteadily(stand, { perSecond, seconds, accountIds });
  await new Promise((resolve) => setTimeout(resolve, FAULT_AFTER_SECONDS * 1_000));
  await fault.break(stand);
  const underWay = await held(stand);
  const brokenAtMs = wallMs();
  await fault.mend(stand);
  const mendedAtMs = wallMs();
  const published = await load;
  await stand.receiver.until(published.size, TIMEOUT_MS);
  await stand.settled(TIMEOUT_MS);

  const arrivals = await stand.receiver.arrivals();
  const deliveriesOf = new Map<string, Set<string>>();
  for (const { eventId, deliveryId } of arrivals) {
    deliveriesOf.set(eventId, (deliveriesOf.get(eventId) ?? new Set()).add(deliveryId));
  }
  const after = arrivals.flatMap(({ atMs }) => (atMs > mendedAtMs ? [atMs - mendedAtMs] : []));
  return {
    published: published.size,
    lost: [...published.keys()].filter((eventId) => !deliveriesOf.has(eventId)).length,
    doubles: arrivals.length - deliveriesOf.size,
    underWayAtFault: underWay,
    eventsUnderTwoDeliveryIds: [...deliveriesOf.values()].filter(({ size }) => size > 1).length,
    /** The time until the killed process is ready again. */
    restartMs: Math.round(mendedAtMs - brokenAtMs),
    flowsAgainAfterMs: Math.round(Math.min(...after)),
  };
}

/** Deliveries that were claimed and had no result yet. */
async function held({ pool }: TestBed): Promise<number> {
  const { rows } = await pool.query<{ held: number }>(
    'SELECT count(*)::int AS held FROM deliveries WHERE lease IS NOT NULL',
  );
  return rows[0]?.held ?? 0;
}
