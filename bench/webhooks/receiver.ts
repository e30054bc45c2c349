import { type ChildProcess, fork } from 'node:child_process';
import path from 'node:path';

/** A received request. */
export interface Arrival {
  path: string;
  eventId: string;
  deliveryId: string;
  /** Wall clock, when its headers were read. */
  atMs: number;
}

export type ReceiverCommand = { kind: 'forget' } | { kind: 'arrivals' } | { kind: 'await'; count: number };
export type ReceiverReport =
  { kind: 'listening'; port: number } | { kind: 'done' } | { kind: 'arrivals'; arrivals: Arrival[] };

/** A receiver in a separate process, so that its work is not measured. */
export interface BenchReceiver {
  url: string;
  /** Forgets the received requests. */
  forget(): Promise<void>;
  /** Resolves when so many requests have arrived since `forget`. Rejects after `timeoutMs`. */
  until(count: number, timeoutMs: number): Promise<void>;
  arrivals(): Promise<Arrival[]>;
  close(): void;
}

/** Runs a file of this folder from its source. */
export function forkSource(file: string, args: readonly string[] = []): ChildProcess {
  return fork(path.join(__dirname, file), args, {
    execArgv: ['-r', '@swc-node/register'],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    serialization: 'advanced',
  });
}

/** The next message of a child. Rejects when it ends first or takes too long. */
export function reply<T>(child: ChildProcess, timeoutMs: number): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const settle = (): void => {
      clearTimeout(timer);
      child.off('message', take);
      child.off('exit', ended);
    };
    const take = (message: unknown): void => {
      settle();
      resolve(message as T);
    };
    const ended = (code: number | null): void => {
      settle();
      reject(new Error(`a process of the bench ended with ${code}`));
    };
    const timer = setTimeout(() => {
      settle();
      reject(new Error(`a process of the bench did not respond within ${timeoutMs} ms`));
    }, timeoutMs);
    child.once('message', take);
    child.once('exit', ended);
  });
}

/** Starts the receiver of receiver-process.ts. */
export async function startBenchReceiver(): Promise<BenchReceiver> {
  const child = forkSource('receiver-process.ts');
  const listening = await reply<ReceiverReport & { kind: 'listening' }>(child, 30_000);
  const ask = <T extends ReceiverReport>(command: ReceiverCommand, timeoutMs = 30_000): Promise<T> => {
    const response = reply<T>(child, timeoutMs);
    child.send(command);
    return response;
  };
  return {
    url: `http://127.0.0.1:${listening.port}`,
    forget: async () => void (await ask({ kind: 'forget' })),
    until: async (count, timeoutMs) => void (await ask({ kind: 'await', count }, timeoutMs)),
    arrivals: async () => (await ask<ReceiverReport & { kind: 'arrivals' }>({ kind: 'arrivals' })).arrivals,
    close: () => void child.kill('SIGKILL'),
  };
}
