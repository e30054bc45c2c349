import type { Suite } from './check';
import { kafkaSuite } from './kafka';

/** The parts with an embedded and a genuine form. */
export const SUITES: readonly Suite[] = [kafkaSuite];
