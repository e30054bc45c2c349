/** The contenders in the order of their runs: those that are compared follow each other. */
export const CONTENDERS = [
  'bareWsPrebuiltFrame',
  'ours',
  'bareWsSharedBuffer',
  'oursSocketIo',
  'bareSocketIo',
  'centrifugo',
] as const;
/** Measured separately: the gateway in front of ours. */
export const PIPE = 'gatewayPipe';
export type ContenderName = (typeof CONTENDERS)[number] | typeof PIPE;

/** A load: a number of connections, and of messages a second to each of them. */
export interface Load {
  connections: number;
  messagesPerSecond: number;
  seconds: number;
  /** The duration of messages before it, which are not counted. */
  warmUpSeconds: number;
}

/** The protocol between clients and a contender. */
export type Protocol = 'websocket' | 'socket.io' | 'centrifugo';

/** The address of the clients, and the greetings of each of them. */
export interface Target {
  port: number;
  protocol: Protocol;
  /** Path and query of the upgrade. */
  path: string;
  /** Headers of the connections. Connection n uses the n-th, cyclically. */
  headers: Record<string, string>[];
  /** Sent once a connection is open. */
  greetings: string[];
}

/** A server that is being measured. */
export interface Contender {
  pid: number;
  target: Target;
  /** Broadcasts so many messages a second until it is stopped. */
  broadcast(messagesPerSecond: number): { stop(): Promise<void> };
  end(): Promise<void>;
}

/** The messages that the clients received in one run. */
export interface Received {
  messages: number;
  bytes: number;
  /** Milliseconds from the creation of a message to its receipt, for a sample of the messages. */
  latenciesMs: number[];
}

/** One run of one contender. */
export interface Measurement {
  contender: ContenderName;
  /** Starts at 1. */
  round: number;
  offered: number;
  delivered: number;
  deliveredPerSecond: number;
  shareWithin250Ms: number;
  p50Ms: number;
  p99Ms: number;
  cpuUsPerDelivery: number;
  /** Instructions of the whole process, outside of the kernel. Null if they cannot be counted. */
  userInstructionsPerDelivery: number | null;
  memoryKbPerConnection: number;
  bytesPerMessage: number;
}
