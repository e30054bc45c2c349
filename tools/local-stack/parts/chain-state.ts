import { execFile } from 'node:child_process';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';

const SCRIPT = path.join(__dirname, 'remove-old-blocks.cjs');
const DEADLINE_MS = 60_000;

/** The fields of anvil's state file that name blocks. The others pass through. */
export interface ChainState {
  best_block_number: number | string;
  blocks: { header: { number: string } }[];
  transactions: { block_number: number }[];
}

/**
 * Removes all blocks except the first and the newest, with their transactions. Anvil never releases the memory of a block,
 * and the services need no old one.
 */
export function withoutOldBlocks<S extends ChainState>(state: S, newest: number): S {
  const from = Number(state.best_block_number) - newest;
  const isKept = (block: number): boolean => block === 0 || block > from;
  return {
    ...state,
    blocks: state.blocks.filter(({ header }) => isKept(Number(header.number))),
    transactions: state.transactions.filter((transaction) => isKept(Number(transaction.block_number))),
  };
}

/** Removes old blocks from a state file. A file that is absent or incomplete stays as it is. */
export function removeOldBlocks(file: string, newest: number): void {
  if (!existsSync(file)) return;
  let state: ChainState;
  try {
    state = JSON.parse(readFileSync(file, 'utf8')) as ChainState;
  } catch {
    return;
  }
  const pruned = withoutOldBlocks(state, newest);
  if (pruned.blocks.length === state.blocks.length) return;
  const temporary = `${file}.${process.pid}.tmp`;
  writeFileSync(temporary, JSON.stringify(pruned));
  renameSync(temporary, file);
}

/**
 * Removes old blocks in a process of its own. The file has 10 MB, and parsing it left the launcher 20 MB larger. Throws when
 * the process fails or takes more than a minute; the file is then unchanged.
 */
export async function removeOldBlocksApart(file: string, newest: number): Promise<void> {
  if (!existsSync(file)) return;
  await promisify(execFile)(process.execPath, [SCRIPT, file, String(newest)], { timeout: DEADLINE_MS });
}
