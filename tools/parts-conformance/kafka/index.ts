import { startEmbeddedKafka, startKafka } from '@plimsoll/local-parts';
import type { Suite } from '../check';
import { startPart } from '../start-part';
import { clusterChecks } from './cluster-checks';
import { configChecks } from './config-checks';
import { consumerChecks } from './consumer-checks';
import { crashChecks } from './crash-checks';
import { fetchChecks } from './fetch-checks';
import { groupChecks } from './group-checks';
import { committedOffsetChecks } from './committed-offset-checks';
import { offsetChecks } from './offset-checks';
import { platformaticChecks } from './platformatic-checks';
import { produceChecks } from './produce-checks';
import { topicChecks } from './topic-checks';

export const kafkaSuite: Suite = {
  part: 'kafka',
  checks: [
    ...clusterChecks,
    ...topicChecks,
    ...configChecks,
    ...produceChecks,
    ...fetchChecks,
    ...offsetChecks,
    ...groupChecks,
    ...committedOffsetChecks,
    ...consumerChecks,
    ...crashChecks,
    ...platformaticChecks,
  ],
  startEmbedded: (folder) => startPart(folder, startEmbeddedKafka),
  startGenuine: (folder) => startPart(folder, startKafka),
};
