import { spawn } from 'node:child_process';
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import type { Writable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { keepPort } from './free-port';
import { PartError } from './part-error';
import { pollUntil } from './poll-until';
import { guardProcessGroup, unguardProcessGroup } from './process-guard';
import { listProcesses, descendantsOf, signalProcess, stillRunning } from './process-table';
import { lastLine } from './run-command';
import type { PartExit, RunningPart } from './running-part';

const STOP_TIMEOUT_MS = 10_000;
const KILL_TIMEOUT_MS = 5_000;
const LOG_TAIL_CHARS = 8_192;

/** A server to run until it is stopped. */
export interface ServerCommand {
  name: string;
  url: string;
  port: number;
  file: string;
  args: readonly string[];
  cwd?: string;
  /** The whole environment. Undefined: that of this process. */
  env?: NodeJS.ProcessEnv;
  /** Its standard input. The server may load while this is not known yet. Undefined: it has none. */
  input?: Promise<string>;
  uid?: number;
  gid?: number;
  logFile: string;
  /** The signal that ends it cleanly; default SIGTERM. */
  stopSignal?: NodeJS.Signals;
  /** True when the server responds. It is called until then. */
  isReady: (signal: AbortSignal) => Promise<boolean>;
  /** From its input on. Default 60,000. */
  readyTimeoutMs?: number;
}

/**
 * Starts the server in its own process group and returns when it responds. Throws PartError, or the error of its input.
 */
export async function startServer(command: ServerCommand): Promise<RunningPart> {
  const { name, logFile, readyTimeoutMs = 60_000 } = command;
  mkdirSync(path.dirname(logFile), { recursive: true });
  const logStart = existsSync(logFile) ? statSync(logFile).size : 0;
  const { part, stdin } = spawnServer(command);
  try {
    stdin?.end(await command.input);
  } catch (error) {
    await part.kill9();
    throw error;
  }
  let exit: PartExit | undefined;
  void part.exited.then((ended) => (exit = ended));
  const ready = await pollUntil(command.isReady, {
    timeoutMs: readyTimeoutMs,
    isHopeless: () => exit !== undefined,
  });
  if (ready && !exit) return part;

  const tail = readFileSync(logFile).subarray(logStart).toString('utf8').slice(-LOG_TAIL_CHARS);
  const seeLog = `See ${logFile}`;
  if (!exit) {
    // A clean stop: a consumer group waits half a minute for a member that did not leave.
    await part.stop();
    throw new PartError(
      'not_ready',
      `${name} did not respond within ${readyTimeoutMs} ms: ${lastLine(tail)}`,
      seeLog,
    );
  }
  if (/address already in use/i.test(tail)) {
    throw new PartError(
      'port_taken',
      `${name}: port ${command.port} was taken by another process`,
      'Start again',
    );
  }
  const how = exit.signal ?? `code ${exit.code}`;
  throw new PartError('exited_at_start', `${name} ended at start (${how}): ${lastLine(tail)}`, seeLog);
}

function spawnServer(command: ServerCommand): { part: RunningPart; stdin: Writable | null } {
  const { name, url, port, stopSignal = 'SIGTERM' } = command;
  const log = openSync(command.logFile, 'a');
  const child = spawn(command.file, [...command.args], {
    cwd: command.cwd,
    env: command.env,
    uid: command.uid,
    gid: command.gid,
    detached: true,
    stdio: [command.input ? 'pipe' : 'ignore', log, log],
  });
  // A server that ended early cannot read its input. Its exit is reported.
  child.stdin?.on('error', () => undefined);
  closeSync(log);
  const pid = child.pid;
  const exited = new Promise<PartExit>((resolve) => {
    child.once('error', () => resolve({ code: 127, signal: null }));
    child.once('exit', (code, signal) => resolve({ code, signal }));
  });
  if (pid === undefined) {
    throw new PartError(
      'prerequisite_missing',
      `${name}: ${command.file} cannot be run`,
      'Check that it is installed',
    );
  }
  guardProcessGroup(pid);
  void exited.then(() => unguardProcessGroup(pid));

  const hasEnded = (): boolean => child.exitCode !== null || child.signalCode !== null;

  const kill9 = async (): Promise<void> => {
    if (hasEnded()) return;
    keepPort(port);
    const pids = [pid, ...descendantsOf(pid, await listProcesses())];
    for (const each of pids) signalProcess(each, 'SIGKILL');
    await pollUntil(async () => (await stillRunning(pids)).length === 0, { timeoutMs: KILL_TIMEOUT_MS });
    await exited;
  };
  const stop = async (signal: NodeJS.Signals = stopSignal): Promise<void> => {
    if (hasEnded()) return;
    keepPort(port);
    signalProcess(pid, signal);
    const timeout = new AbortController();
    const expired = delay(STOP_TIMEOUT_MS, true, { signal: timeout.signal }).catch(() => false);
    if (await Promise.race([exited.then(() => false), expired])) await kill9();
    timeout.abort();
  };
  return { part: { name, url, port, pid, exited, stop, kill9 }, stdin: child.stdin };
}
