/** The contenders in the order of their runs: those that are compared follow each other. */
export const CONTENDERS = [
  'bareWsPrebuiltFrame',
  'ours',
  'bareWsSharedBuffer',
  'oursSocketIo',
  'bareSocketIo',
  'centrifugo',
] as const;
/** Measured apart: the gateway that ours is reached through. */
export const PIPE = 'gatewayPipe';
export type ContenderName = (typeof CONTENDERS)[number] | typeof PIPE;

/** A load: so many connections that are each sent so many messages a second. */
export interface Load {
  connections: number;
  messagesPerSecond: number;
  seconds: number;
  /** Messages are sent before it for so long, which count for nothing. */
  warmUpSeconds: number;
}

/** How clients speak to a contender. */
export type Protocol = 'websocket' | 'socket.io' | 'centrifugo';

/** Where clients connect, and what each of them says. */
export interface Target {
  port: number;
  protocol: Protocol;
  /** Path and query of the upgrade. */
  path: string;
  /** Headers of each connection; connection n takes the n-th, over and over. */
  headers: Record<string, string>[];
  /** Sent once a connection stands. */
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
  /** Milliseconds from the making of a message to its receipt, of a sample. */
  latenciesMs: number[];
}

/** One run of one contender. */
export interface Measurement {
  contender: ContenderName;
  /** From 1 on. */
  round: number;
  offered: number;
  delivered: number;
  deliveredPerSecond: number;
  shareWithin250Ms: number;
  p50Ms: number;
  p99Ms: number;
  cpuUsPerDelivery: number;
  /** Of the whole process, outside of the kernel; null where they cannot be counted. */
  userInstructionsPerDelivery: number | null;
  memoryKbPerConnection: number;
  bytesPerMessage: number;
}
