import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { KeyManagement } from './key-management';

const ALGORITHM = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const KEY = /^[A-Za-z0-9+/]{43}=$/;

/**
 * Master keys in a file, each a line with the base64 of 32 bytes. The first one wraps and all unwrap. The file is read for
 * each use, so that it can change.
 */
export class LocalKeyFile implements KeyManagement {
  constructor(private readonly file: string) {}

  async wrap(key: Buffer, purpose: string): Promise<string> {
    const [master] = await this.keys();
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv(ALGORITHM, master, nonce);
    cipher.setAAD(Buffer.from(purpose));
    const text = Buffer.concat([cipher.update(key), cipher.final()]);
    return Buffer.concat([nonce, cipher.getAuthTag(), text]).toString('base64');
  }

  async unwrap(wrapped: string, purpose: string): Promise<Buffer> {
    const bytes = Buffer.from(wrapped, 'base64');
    for (const master of await this.keys()) {
      const key = opened(bytes, master, purpose);
      if (key) return key;
    }
    throw new Error(`no key in ${this.file} opens it for ${purpose}`);
  }

  private async keys(): Promise<[Buffer, ...Buffer[]]> {
    const text = await readFile(this.file, 'utf8').catch((cause: Error) => {
      throw new Error(`${this.file} cannot be read`, { cause });
    });
    const [first, ...others] = text.split(/\r?\n/).filter((line) => line !== '');
    if (first === undefined || ![first, ...others].every((line) => KEY.test(line)))
      throw new Error(`${this.file} must have lines with the base64 of 32 bytes`);
    const bytes = (line: string): Buffer => Buffer.from(line, 'base64');
    return [bytes(first), ...others.map(bytes)];
  }
}

/** Null: another key wrapped it, or for another purpose. */
function opened(bytes: Buffer, master: Buffer, purpose: string): Buffer | null {
  try {
    const decipher = createDecipheriv(ALGORITHM, master, bytes.subarray(0, NONCE_BYTES), {
      authTagLength: TAG_BYTES,
    });
    decipher.setAAD(Buffer.from(purpose));
    decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
    return Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()]);
  } catch {
    return null;
  }
}
