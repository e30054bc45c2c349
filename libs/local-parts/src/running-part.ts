/** How a process ended: one of the two is null. */
export interface PartExit {
  code: number | null;
  signal: NodeJS.Signals | null;
}

/** A real part running as a child process of this one, bound to 127.0.0.1. */
export interface RunningPart {
  /** postgres, redis, kafka or evm-<chain id>. */
  readonly name: string;
  /** The address for clients: a URL, for Kafka `host:port`. */
  readonly url: string;
  readonly port: number;
  /** The id of the server itself (never of a wrapper), and so of its process group. */
  readonly pid: number;
  /** Settles when the process has ended for any reason. */
  readonly exited: Promise<PartExit>;
  /** Stops the part (with its own clean-stop signal by default), and kills it after 10 s. Idempotent. */
  stop(signal?: NodeJS.Signals): Promise<void>;
  /** SIGKILL to the process and all its descendants, as in a crash. Returns when all have ended. */
  kill9(): Promise<void>;
}

/** The options with which every part starts. */
export interface PartOptions {
  /** Created if it is missing. A second start with the same folder keeps its data. */
  dataDir: string;
  /** Output of the server is appended here. */
  logFile: string;
  /** A fixed port, or undefined for a free one. */
  port?: number;
  /** The folder of downloads. Undefined: `.local/cache` of the workspace. */
  cacheDir?: string;
  /** Arguments of Node for an embedded part. */
  nodeArgs?: readonly string[];
  /** The time limit for the part's first response; default 60,000. */
  readyTimeoutMs?: number;
}
