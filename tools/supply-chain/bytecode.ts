import { gunzipSync } from 'node:zlib';

/** A file with EVM code. */
export interface BytecodeFinding {
  file: string;
  line: number;
}

/** Shorter runs are hashes, keys, calldata and assembled stubs of our own. */
const HEX_RUN = /[0-9a-fA-F]{400,}/g;
/**
 * The end of a revert and the target of the jump over it, as Solidity and Vyper both emit them at every check: PUSH or
 * DUP1, REVERT, JUMPDEST. Data has it by chance only, so one is not enough.
 */
const CHECK = /(?:80|5f|00)fd5b/gi;
const FEWEST_CHECKS = 3;

/** Files with code of our own contracts, with the test that compares each with its source. */
export const OWN_BYTECODE: Readonly<Record<string, string>> = {
  'apps/execution/src/simulation/batch.json': 'apps/execution/src/simulation/batch.spec.ts',
};

/**
 * Finds EVM code in one file.
 * @param content the content of the file; one that ends with .gz is decompressed
 */
export function findBytecode(file: string, content: Buffer): BytecodeFinding[] {
  const text = (file.endsWith('.gz') ? gunzipSync(content) : content).toString('latin1');
  return [...text.matchAll(HEX_RUN)]
    .filter(([run]) => [...run.matchAll(CHECK)].length >= FEWEST_CHECKS)
    .map(({ index }) => ({ file, line: text.slice(0, index).split('\n').length }));
}
