import type { GroupCoordinator } from '../group/coordinator';
import type { Flusher } from '../log/flusher';
import type { Topics } from '../log/topics';
import type { Budget } from './budget';
import type { ResolvedOptions } from './options';
import type { ProducerIds } from './producer-ids';

/** The state that the request handlers share. */
export interface BrokerState {
  readonly options: ResolvedOptions;
  readonly clusterId: string;
  readonly topics: Topics;
  readonly flusher: Flusher;
  readonly coordinator: GroupCoordinator;
  readonly producerIds: ProducerIds;
  readonly responseBudget: Budget;
  /** The address for clients. */
  readonly address: { host: string; port: number };
  /** Aborts when the broker stops. */
  readonly stopping: AbortSignal;
}

/** The only broker of the cluster: leader of every partition, controller and coordinator. */
export const NODE_ID = 1;
