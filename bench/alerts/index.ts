import { parseArgs } from 'node:util';
import { measureDurablePath } from './durable-path';
import { measurePureEvaluation } from './pure-evaluation';

export const description =
  'evaluation of rules: in memory, and with Postgres and Kafka [--positions N] [--events N] [--durable-events N]';

const AIM_EVENTS_PER_SECOND = 20_000;

/**
 * The same number of rules and positions: in memory on one core, then the built service with its own parts.
 */
export async function run(args: string[]): Promise<object> {
  const { values } = parseArgs({
    args,
    options: {
      positions: { type: 'string', default: '100000' },
      events: { type: 'string', default: '300000' },
      'durable-events': { type: 'string', default: '60000' },
    },
  });
  const positions = Number(values.positions);
  console.error('evaluating in memory');
  const pure = measurePureEvaluation(positions, Number(values.events));
  const durable = await measureDurablePath(positions, Number(values['durable-events']));
  return { bench: 'alerts', node: process.version, pure, aimEventsPerSecond: AIM_EVENTS_PER_SECOND, durable };
}
