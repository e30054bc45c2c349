import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import path from 'node:path';
import { readJson, removeFile, replaceFile } from '../log/durable-file';

const PROBE_MS = 500;

interface Lock {
  pid: number;
  host: string;
  port: number;
}

/** Another broker uses the same data. */
export class DataDirectoryInUseError extends Error {
  override readonly name = 'DataDirectoryInUseError';
}

/** The folder of a broker: the process that uses it, the cluster's id, and whether the last stop was clean. */
export class DataDirectory {
  private constructor(
    readonly path: string,
    readonly clusterId: string,
    /** False: the broker ended without a stop, and its logs need a recovery. */
    readonly wasCleanStop: boolean,
  ) {}

  /** Throws DataDirectoryInUseError. */
  static async open(directory: string): Promise<DataDirectory> {
    mkdirSync(directory, { recursive: true });
    const lock = readJson(path.join(directory, 'broker.lock')) as Lock | undefined;
    if (lock && (await isInUse(lock))) {
      throw new DataDirectoryInUseError(`${directory} is used by the broker of process ${lock.pid}`);
    }
    const file = path.join(directory, 'cluster.json');
    const stored = readJson(file) as { clusterId: string } | undefined;
    const clusterId = stored?.clusterId ?? randomBytes(16).toString('base64url');
    if (!stored) await replaceFile(file, JSON.stringify({ clusterId }));
    const marker = path.join(directory, 'clean-stop');
    const wasCleanStop = existsSync(marker);
    removeFile(marker);
    return new DataDirectory(directory, clusterId, wasCleanStop);
  }

  async lock(host: string, port: number): Promise<void> {
    const lock: Lock = { pid: process.pid, host, port };
    await replaceFile(path.join(this.path, 'broker.lock'), JSON.stringify(lock));
  }

  /** Call it after the last file was closed. */
  release(isCleanStop: boolean): void {
    if (isCleanStop) writeFileSync(path.join(this.path, 'clean-stop'), '');
    removeFile(path.join(this.path, 'broker.lock'));
  }
}

/** The process id may belong to another program now, so its broker must also respond. */
async function isInUse({ pid, host, port }: Lock): Promise<boolean> {
  return isRunning(pid) && responds(host, port);
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function responds(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host, port });
    const finish = (response: boolean) => (): void => {
      socket.destroy();
      resolve(response);
    };
    socket.setTimeout(PROBE_MS, finish(false));
    socket.once('connect', finish(true));
    socket.once('error', finish(false));
  });
}
