import {
  closeSync,
  existsSync,
  fsync,
  fsyncSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import path from 'node:path';
import { RequestParser } from '../resp/request-parser';

const FILE = 'appendonly.aof';
const REWRITTEN = 'appendonly.aof.rewrite';
/** The file is rewritten when it is larger than this and than twice its size after the last rewrite. */
const REWRITE_FROM_BYTES = 4 * 1_048_576;
/** The part of the file that is in memory during a read or rewrite. */
const PIECE_BYTES = 1_048_576;

/**
 * Every change is appended to this file before the client gets its reply. The kernel then has the bytes, so a
 * killed process loses nothing. The disk has them within a second, so a power failure loses at most that
 * second.
 */
export class AppendOnlyFile {
  private descriptor: number;
  private bytes: number;
  /** 0: unknown, so that a server that restarts often shortens the file as well. */
  private bytesAfterRewrite = 0;
  private waiting: string[][] = [];
  private isDirty = false;
  private isSyncing = false;
  /** Set when the disk fails to write or sync. Changes are rejected from then on. */
  private failure: Error | null = null;

  private constructor(private readonly folder: string) {
    const file = path.join(folder, FILE);
    this.descriptor = openSync(file, 'a');
    this.bytes = statSync(file).size;
  }

  /**
   * Reads the file of the folder, calls `apply` with each command, and opens the file for appending. An
   * incomplete end, such as half a command or a transaction without its end, is removed.
   */
  static open(folder: string, apply: (command: string[]) => void): AppendOnlyFile {
    mkdirSync(folder, { recursive: true });
    rmSync(path.join(folder, REWRITTEN), { force: true });
    recover(path.join(folder, FILE), apply);
    return new AppendOnlyFile(folder);
  }

  /** The reason why changes cannot be stored. Null while they can. */
  get error(): Error | null {
    return this.failure;
  }

  /** Appends one change; `flush` writes it. */
  append(command: string[]): void {
    this.waiting.push(command);
  }

  /**
   * Writes the commands since the last flush as one unit: after a crash the file has all of it, or nothing.
   */
  flush(): void {
    if (this.waiting.length === 0 || this.failure) return;
    const commands = this.waiting.length === 1 ? this.waiting : [['MULTI'], ...this.waiting, ['EXEC']];
    this.waiting = [];
    try {
      this.bytes += writeAll(this.descriptor, Buffer.from(commands.map(encodeCommand).join(''), 'latin1'));
      this.isDirty = true;
    } catch (error) {
      this.failure = error as Error;
    }
  }

  /** Whether the file has grown enough for `rewrite`. */
  get wantsRewrite(): boolean {
    return this.bytes > REWRITE_FROM_BYTES && this.bytes > 2 * this.bytesAfterRewrite;
  }

  /** Replaces the file by one with these commands, which lead to the present state. */
  rewrite(commands: Iterable<string[]>): void {
    const rewritten = path.join(this.folder, REWRITTEN);
    const descriptor = openSync(rewritten, 'w');
    let bytes = 0;
    try {
      for (const piece of piecesOfCommands(commands)) bytes += writeAll(descriptor, piece);
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
    // Closed first, because Windows replaces no open file.
    closeSync(this.descriptor);
    renameSync(rewritten, path.join(this.folder, FILE));
    this.descriptor = openSync(path.join(this.folder, FILE), 'a');
    this.bytes = bytes;
    this.bytesAfterRewrite = bytes;
    this.isDirty = false;
  }

  /**
   * Syncs the written bytes to the disk. It is called every second and does nothing while the previous sync
   * runs.
   */
  sync(): void {
    if (!this.isDirty || this.isSyncing) return;
    this.isDirty = false;
    this.isSyncing = true;
    fsync(this.descriptor, (error) => {
      this.isSyncing = false;
      // A rewrite closes the descriptor. It has synced everything itself.
      if (error && error.code !== 'EBADF') this.failure = error;
    });
  }

  close(): void {
    this.flush();
    fsyncSync(this.descriptor);
    closeSync(this.descriptor);
  }
}

/** A command as a client would send it. */
export function encodeCommand(command: readonly string[]): string {
  const args = command.map((argument) => `$${argument.length}\r\n${argument}\r\n`);
  return `*${command.length}\r\n${args.join('')}`;
}

/** The commands in few writes. */
function* piecesOfCommands(commands: Iterable<string[]>): Generator<Buffer> {
  let text = '';
  for (const command of commands) {
    text += encodeCommand(command);
    if (text.length < PIECE_BYTES) continue;
    yield Buffer.from(text, 'latin1');
    text = '';
  }
  yield Buffer.from(text, 'latin1');
}

function writeAll(descriptor: number, bytes: Buffer): number {
  let written = 0;
  while (written < bytes.length) written += writeSync(descriptor, bytes, written);
  return bytes.length;
}

/**
 * Applies the whole units of the file piece by piece, so that a long file needs no more memory than a short
 * one.
 */
function recover(file: string, apply: (command: string[]) => void): void {
  if (!existsSync(file)) return;
  const parser = new RequestParser({ argumentBytes: Infinity, arguments: Infinity, pendingBytes: Infinity });
  let transaction: string[][] | null = null;
  for (const piece of piecesOf(file)) {
    for (const command of parser.push(piece)) {
      const [name] = command;
      if (name === 'MULTI') transaction = [];
      else if (name === 'EXEC' && transaction) {
        for (const each of transaction) apply(each);
        transaction = null;
      } else if (transaction) transaction.push(command);
      else apply(command);
    }
    if (parser.failure) {
      throw new Error(
        `The append-only file is damaged (${parser.failure.message}). Restore it from a backup, or delete it to start empty.`,
      );
    }
  }
  const open = transaction ? [['MULTI'], ...transaction] : [];
  const whole =
    parser.parsedBytes - open.reduce((bytes, command) => bytes + encodeCommand(command).length, 0);
  if (whole < statSync(file).size) truncate(file, whole);
}

function* piecesOf(file: string): Generator<Buffer> {
  const descriptor = openSync(file, 'r');
  try {
    for (;;) {
      const piece = Buffer.allocUnsafe(PIECE_BYTES);
      const bytes = readSync(descriptor, piece);
      if (bytes === 0) return;
      yield piece.subarray(0, bytes);
    }
  } finally {
    closeSync(descriptor);
  }
}

function truncate(file: string, bytes: number): void {
  const descriptor = openSync(file, 'r+');
  try {
    ftruncateSync(descriptor, bytes);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
