// Child process of one measurement: `contender.ts NAME`, settings in the first message from the parent.
import 'reflect-metadata';
import { consumeOurs } from './consume-ours';
import { consumePlain } from './consume-plain';
import { consumeServerKafka } from './consume-server-kafka';
import { Stopwatch } from './stopwatch';
import type { ContenderName, Measurement, Settings } from './types';

type Consume = (settings: Settings, stopwatch: Stopwatch) => Promise<void>;

const CONTENDERS: Record<ContenderName, Consume> = {
  plainEachBatch: consumePlain,
  serverKafka: consumeServerKafka,
  ours: (settings, stopwatch) => consumeOurs(settings, stopwatch, false),
  oursWithInbox: (settings, stopwatch) => consumeOurs(settings, stopwatch, true),
};

process.once('message', (message) => {
  const { name, settings } = message as { name: ContenderName; settings: Settings };
  const stopwatch = new Stopwatch(settings.messages);
  const measure = async (): Promise<Measurement> => {
    await CONTENDERS[name](settings, stopwatch);
    return stopwatch.finished;
  };
  measure().then(
    (measurement) => process.send?.(measurement, () => process.exit(0)),
    (error: unknown) => {
      console.error(error);
      process.exit(1);
    },
  );
});
