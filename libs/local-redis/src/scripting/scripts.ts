import { createHash } from 'node:crypto';
import { RedisError } from '../resp/reply';
import type { LuaEngine } from './lua-engine';

/** The scripts that clients loaded, by SHA-1. */
export class Scripts {
  constructor(private readonly engine: LuaEngine) {}

  /** Compiles a new script, and returns its SHA-1. Throws RedisError. */
  load(source: string): string {
    const sha = createHash('sha1').update(source, 'latin1').digest('hex');
    this.engine.load(sha, source);
    return sha;
  }

  /** The SHA-1 in lower case when the script is known. Throws RedisError. */
  known(sha: string): string {
    const lowerCase = sha.toLowerCase();
    if (!this.engine.has(lowerCase)) throw new RedisError('NOSCRIPT No matching script. Please use EVAL.');
    return lowerCase;
  }

  has(sha: string): boolean {
    return this.engine.has(sha.toLowerCase());
  }

  flush(): void {
    this.engine.flush();
  }
}

/** Keys and arguments of EVAL and EVALSHA: `2 key1 key2 arg…`. Throws RedisError. */
export function keysAndArguments(args: readonly string[]): {
  keys: readonly string[];
  rest: readonly string[];
} {
  const [count = '', ...others] = args;
  const keyCount = Number(count);
  if (!/^-?\d+$/.test(count)) throw new RedisError('ERR value is not an integer or out of range');
  if (keyCount < 0) throw new RedisError("ERR Number of keys can't be negative");
  if (keyCount > others.length) {
    throw new RedisError("ERR Number of keys can't be greater than number of args");
  }
  return { keys: others.slice(0, keyCount), rest: others.slice(keyCount) };
}
