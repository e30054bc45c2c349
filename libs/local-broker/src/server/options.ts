/** Receives the messages for an operator. */
export interface BrokerLogger {
  debug(message: string): void;
  info(message: string): void;
  warn(message: string): void;
  error(message: string): void;
}

export interface BrokerOptions {
  /** Contains all data. It is created if it is missing. One broker at a time uses it. */
  dataDir: string;
  /** A loopback address. Any other one is rejected. Default 127.0.0.1. */
  host?: string;
  /** 0, the default, selects a free port. */
  port?: number;
  /** False: the broker does not wait for the disk. Default true. */
  isDurable?: boolean;
  logger?: BrokerLogger;
  /** Default 512. */
  maxConnections?: number;
  /** Larger requests end their connection. Default 16 MiB. */
  maxRequestBytes?: number;
  /** Limit for all requests and for all responses in memory, each. Default 32 MiB. */
  maxInFlightBytes?: number;
  /** Limit for one response to Fetch, as long as one batch fits. Default 8 MiB. */
  maxFetchBytes?: number;
  /**
   * A segment ends here even if its topic allows more. Default 8 MiB: a start after a crash reads the last
   * segment of each partition, and the platform has a hundred.
   */
  maxSegmentBytes?: number;
  /** A connection without traffic is closed after this time. Default 10 minutes. */
  idleTimeoutMs?: number;
  /** Between two rounds of retention and compaction. Default 30 s. */
  maintenanceIntervalMs?: number;
  /** How long offsets of a group without members are kept. Default 7 days. */
  offsetsRetentionMs?: number;
  /** Milliseconds of the epoch; default Date.now. */
  now?: () => number;
}

export type ResolvedOptions = Required<BrokerOptions>;

const MIB = 1_024 * 1_024;
const LOOPBACK = new Set(['127.0.0.1', '::1', 'localhost']);

const SILENT: BrokerLogger = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
};

/** Throws a RangeError that names the option that cannot be used. */
export function resolveOptions(options: BrokerOptions): ResolvedOptions {
  const resolved: ResolvedOptions = {
    dataDir: options.dataDir,
    host: options.host ?? '127.0.0.1',
    port: options.port ?? 0,
    isDurable: options.isDurable ?? true,
    logger: options.logger ?? SILENT,
    maxConnections: options.maxConnections ?? 512,
    maxRequestBytes: options.maxRequestBytes ?? 16 * MIB,
    maxInFlightBytes: options.maxInFlightBytes ?? 32 * MIB,
    maxFetchBytes: options.maxFetchBytes ?? 8 * MIB,
    maxSegmentBytes: options.maxSegmentBytes ?? 8 * MIB,
    idleTimeoutMs: options.idleTimeoutMs ?? 600_000,
    maintenanceIntervalMs: options.maintenanceIntervalMs ?? 30_000,
    offsetsRetentionMs: options.offsetsRetentionMs ?? 7 * 86_400_000,
    now: options.now ?? Date.now,
  };
  if (resolved.dataDir === '') throw new RangeError('dataDir is empty');
  if (!LOOPBACK.has(resolved.host)) {
    throw new RangeError(`host is ${resolved.host}: the local broker listens on loopback addresses only`);
  }
  if (!Number.isInteger(resolved.port) || resolved.port < 0 || resolved.port > 65_535) {
    throw new RangeError(`port is ${resolved.port}: it must be an integer from 0 to 65535`);
  }
  for (const [name, value] of Object.entries(resolved)) {
    const isLimit = /^max|Ms$/.test(name);
    if (isLimit && !(typeof value === 'number' && value > 0)) {
      throw new RangeError(`${name} is ${String(value)}: it must be positive`);
    }
  }
  if (resolved.maxRequestBytes > resolved.maxInFlightBytes) {
    throw new RangeError('maxRequestBytes exceeds maxInFlightBytes');
  }
  return resolved;
}
