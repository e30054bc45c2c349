import { ChainRecording, recordingClient, type ChainClient } from '@plimsoll/evm';
import {
  checkReading,
  countChecks,
  differencesOf,
  serialiseReading,
  type CheckCounts,
  type RecordedReading,
} from '@plimsoll/protocols';
import { recordProofs } from './record-proofs';

/** A reading of one family: its file, what it is, and the differences between our figures and the contract's. */
export interface FamilyRecording {
  file: Buffer;
  calls: number;
  counts: CheckCounts;
  /** Wallets without a position in any row, which were read completely. */
  empty: number;
  differences: readonly string[];
}

/**
 * Reads the positions over the node and records it.
 * @param withProofs records proofs of what the contracts store of them too
 * @throws ChainReadError
 */
export async function recordFamily(
  request: Omit<RecordedReading, 'chain'>,
  chain: ChainRecording,
  client: ChainClient,
  withProofs: boolean,
): Promise<FamilyRecording> {
  const reading = { ...request, chain };
  const recording = recordingClient(client, chain);
  const checks = await checkReading(reading, recording);
  if (withProofs)
    for (const [index, { positions }] of checks.entries()) {
      const read = positions.map(({ position }) => position);
      await recordProofs(reading.rows[index]!, read, chain, recording);
    }
  const found = new Set([
    ...checks.flatMap(({ positions }) => positions.map(({ position }) => position.wallet)),
    ...checks.flatMap(({ unreadable }) => unreadable.flatMap(({ wallets }) => wallets)),
  ]);
  return {
    file: serialiseReading(reading),
    calls: chain.callCount,
    counts: countChecks(checks),
    empty: request.wallets.filter((wallet) => !found.has(wallet)).length,
    differences: checks.flatMap(differencesOf),
  };
}
