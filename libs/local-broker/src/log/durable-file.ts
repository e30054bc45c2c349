import { closeSync, fsyncSync, openSync, readFileSync, renameSync, rmSync, writeSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';

const RENAME_ATTEMPTS = 10;
const RENAME_PAUSE_MS = 20;

/** Replaces the whole file. After a crash it has the old content or the new one. */
export async function replaceFile(file: string, content: string | Buffer): Promise<void> {
  const draft = `${file}.draft`;
  writeDurably(draft, content);
  await replaceBy(draft, file);
}

/**
 * As `replaceFile`, for callers that cannot wait. On Windows it fails while another program reads the file.
 */
export function replaceFileSync(file: string, content: string | Buffer): void {
  const draft = `${file}.draft`;
  writeDurably(draft, content);
  renameSync(draft, file);
}

/**
 * Renames a finished file to another and calls `onReplaced` before any other code can read it. On Windows a
 * virus scanner can hold the target open for a moment.
 */
export async function replaceBy(draft: string, file: string, onReplaced?: () => void): Promise<void> {
  for (let left = RENAME_ATTEMPTS; ; left -= 1) {
    try {
      renameSync(draft, file);
      break;
    } catch (error) {
      if (left <= 1 || !isHeldOpen(error)) throw error;
      await delay(RENAME_PAUSE_MS);
    }
  }
  onReplaced?.();
}

/** The parsed content. Undefined when the file is missing or invalid JSON. */
export function readJson(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    if (error instanceof SyntaxError || isMissing(error)) return undefined;
    throw error;
  }
}

/** Makes the names in a directory durable, if the platform can: Windows opens no directory for that. */
export function syncDirectory(directory: string): void {
  if (process.platform === 'win32') return;
  const fd = openSync(directory, 'r');
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}

export function removeFile(file: string): void {
  rmSync(file, { force: true });
}

function isMissing(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'ENOENT';
}

function isHeldOpen(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return code === 'EPERM' || code === 'EACCES' || code === 'EBUSY';
}

function writeDurably(file: string, content: string | Buffer): void {
  const bytes = typeof content === 'string' ? Buffer.from(content) : content;
  const fd = openSync(file, 'w');
  try {
    writeFully(fd, bytes, 0);
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}

/** Writes every byte at this position of the file. */
export function writeFully(fd: number, bytes: Buffer, position: number): void {
  let written = 0;
  while (written < bytes.length) {
    written += writeSync(fd, bytes, written, bytes.length - written, position + written);
  }
}
