import { once } from 'node:events';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { GroupCoordinator } from '../group/coordinator';
import { GroupStore } from '../group/group-store';
import { Flusher } from '../log/flusher';
import { PartitionLog } from '../log/partition-log';
import { logConfig } from '../log/topic-config';
import { Topics } from '../log/topics';
import type { BoundApi } from './bound-api';
import type { BrokerState } from './broker-state';
import { Budget } from './budget';
import { serveConnection } from './connection';
import { DataDirectory } from './data-directory';
import { clusterApis } from './handlers/cluster';
import { committedOffsetApis } from './handlers/committed-offsets';
import { configApis } from './handlers/configs';
import { fetchApis } from './handlers/fetch';
import { groupApis } from './handlers/groups';
import { offsetApis } from './handlers/offsets';
import { produceApis } from './handlers/produce';
import { topicApis } from './handlers/topics';
import { maintain } from './maintenance';
import { resolveOptions, type BrokerOptions, type ResolvedOptions } from './options';
import { ProducerIds } from './producer-ids';

const STOP_MS = 5_000;
const GROUP_SEGMENT_BYTES = 4 * 1_024 * 1_024;

/** A broker that runs in this process. */
export interface LocalBroker {
  /** `host:port`, the form for clients. */
  readonly url: string;
  readonly host: string;
  readonly port: number;
  /** Closes every connection and makes everything durable. Idempotent. */
  stop(): Promise<void>;
}

/**
 * Starts a broker that speaks the Kafka protocol on a loopback address. Throws a RangeError for invalid
 * options, DataDirectoryInUseError when another broker uses the data, and the operating system's error of the
 * port.
 */
export async function startBroker(options: BrokerOptions): Promise<LocalBroker> {
  const resolved = resolveOptions(options);
  const directory = await DataDirectory.open(resolved.dataDir);
  const server = createServer();
  server.listen({ host: resolved.host, port: resolved.port });
  await once(server, 'listening');
  const { port, address } = server.address() as AddressInfo;
  try {
    await directory.lock(address, port);
    const stopping = new AbortController();
    const { state, groupLog } = openState(resolved, directory, { host: address, port }, stopping.signal);
    await state.topics.removeAbandoned();
    const connections = acceptConnections(server, state);
    const maintenance = maintain(state, groupLog);
    const stop = async (): Promise<void> => {
      server.close();
      stopping.abort();
      state.coordinator.close();
      await connections.end();
      await maintenance;
      await state.topics.close(true);
      await groupLog.close(true);
      directory.release(true);
    };
    let stopped: Promise<void> | undefined;
    return { url: `${address}:${port}`, host: address, port, stop: () => (stopped ??= stop()) };
  } catch (error) {
    server.close();
    throw error;
  }
}

function openState(
  options: ResolvedOptions,
  directory: DataDirectory,
  address: BrokerState['address'],
  stopping: AbortSignal,
): { state: BrokerState; groupLog: PartitionLog } {
  const logOptions = {
    isDurable: options.isDurable,
    maxSegmentBytes: options.maxSegmentBytes,
    wasCleanStop: directory.wasCleanStop,
    now: options.now,
  };
  const flusher = new Flusher();
  const groupLog = new PartitionLog({
    ...logOptions,
    directory: path.join(directory.path, 'groups'),
    config: {
      ...logConfig({ 'cleanup.policy': 'compact', 'delete.retention.ms': '60000' }),
      segmentBytes: GROUP_SEGMENT_BYTES,
      maxMessageBytes: options.maxRequestBytes,
    },
  });
  const state: BrokerState = {
    options,
    clusterId: directory.clusterId,
    topics: new Topics(directory.path, logOptions),
    flusher,
    coordinator: new GroupCoordinator(new GroupStore(groupLog, flusher, options.now), options.now),
    producerIds: new ProducerIds(directory.path),
    responseBudget: new Budget(options.maxInFlightBytes),
    address,
    stopping,
  };
  return { state, groupLog };
}

function allApis(state: BrokerState): Map<number, BoundApi> {
  const apis: BoundApi[] = [
    ...clusterApis(state, () => apis),
    ...produceApis(state),
    ...fetchApis(state),
    ...offsetApis(state),
    ...topicApis(state),
    ...configApis(state),
    ...groupApis(state),
    ...committedOffsetApis(state),
  ];
  return new Map(apis.map((bound) => [bound.api.key, bound]));
}

function acceptConnections(server: Server, state: BrokerState): { end(): Promise<void> } {
  const { logger, maxConnections, maxInFlightBytes, maxRequestBytes, idleTimeoutMs } = state.options;
  const requestBudget = new Budget(maxInFlightBytes);
  const apis = allApis(state);
  const served = new Map<Socket, Promise<void>>();
  server.on('error', (error) => logger.error(`server: ${error.message}`));
  server.on('connection', (socket) => {
    if (served.size >= maxConnections || state.stopping.aborted) {
      logger.warn(`a connection is refused: there are ${served.size}`);
      socket.destroy();
      return;
    }
    const done = serveConnection(socket, { apis, requestBudget, maxRequestBytes, idleTimeoutMs, logger });
    served.set(
      socket,
      done.finally(() => served.delete(socket)),
    );
  });
  return {
    end: async () => {
      requestBudget.close();
      state.responseBudget.close();
      for (const socket of served.keys()) socket.destroy();
      const timeout = new AbortController();
      await Promise.race([
        Promise.allSettled(served.values()),
        delay(STOP_MS, undefined, { signal: timeout.signal }).catch(() => undefined),
      ]);
      timeout.abort();
    },
  };
}
