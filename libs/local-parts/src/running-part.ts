/** How a process ended: one of the two is null. */
export interface PartExit {
  code: number | null;
  signal: NodeJS.Signals | null;
}

/** A real part running as a child process of this one, bound to 127.0.0.1. */
export interface RunningPart {
  /** postgres, redis, kafka or evm-<chain id>. */
  readonly name: string;
  /** What a client connects to: a URL, for Kafka `host:port`. */
  readonly url: string;
  readonly port: number;
  /** Of the server itself (never of a wrapper), and so of its process group. */
  readonly pid: number;
  /** Settles when the process is gone, whoever ended it. */
  readonly exited: Promise<PartExit>;
  /** Asks the part to end (its own clean-stop signal unless one is given), kills it after 10 s; idempotent. */
  stop(signal?: NodeJS.Signals): Promise<void>;
  /** SIGKILL to the process and all its descendants, as a crash would; returns when all are gone. */
  kill9(): Promise<void>;
}

/** What every part needs to start. */
export interface PartOptions {
  /** Made when it is not there; a second start with the same folder keeps its data. */
  dataDir: string;
  /** Output of the server is appended here. */
  logFile: string;
  /** A fixed port, or undefined for a free one. */
  port?: number;
  /** Where downloads are kept; undefined: `.local/cache` of the workspace. */
  cacheDir?: string;
  /** How long the part may take until it answers; default 60,000. */
  readyTimeoutMs?: number;
}
