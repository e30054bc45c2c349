import type { Suite } from './check';
import { kafkaSuite } from './kafka';
import { redisSuite } from './redis';

/** The parts with an embedded and a genuine form. */
export const SUITES: readonly Suite[] = [kafkaSuite, redisSuite];
