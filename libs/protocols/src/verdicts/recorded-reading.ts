import { gunzipSync, gzipSync, constants } from 'node:zlib';
import { ChainRecording, type ChainRecordingJson, type MarketRow } from '@plimsoll/evm';
import type { Address } from 'viem';
import type { UsdOracle } from '../reader/usd-price';

/** A reading of positions at one block: what was requested, and everything that the chain returned. */
export interface RecordedReading {
  /** The rows of one family. */
  rows: readonly MarketRow[];
  usdOracles: readonly UsdOracle[];
  nativeCurrency: string;
  /** The first block of which logs are read, where holdings are found in logs. */
  firstBlock: number;
  wallets: readonly Address[];
  chain: ChainRecording;
}

/** The description of a committed recording, which npm run record writes beside it. */
export interface RecordingDescription {
  protocol: string;
  family: string;
  /** Contracts that were compiled at a commit, or those that the project itself compiled and published as a package. */
  source: { repository: string; compiler: string } & ({ commit: string } | { package: string });
  scenario: string;
  seed: number;
  wallets: { unreadable: number };
  positions: number;
  exact: number;
  different: number;
  verdicts: number;
  liquidations: { succeed: number; revert: number };
}

interface RecordedReadingJson extends Omit<RecordedReading, 'chain'> {
  version: 1;
  chain: ChainRecordingJson;
}

/** The file of a reading. The same reading is the same bytes. */
export function serialiseReading({ chain, ...request }: RecordedReading): Buffer {
  const json: RecordedReadingJson = { version: 1, ...request, chain: chain.toJson() };
  return gzipSync(JSON.stringify(json), { level: constants.Z_BEST_COMPRESSION });
}

/** @throws when the file is no recording of this version */
export function parseReading(file: Buffer): RecordedReading {
  const { version, chain, ...request } = JSON.parse(gunzipSync(file).toString()) as RecordedReadingJson;
  if (version !== 1) throw new Error(`a recording of version ${String(version)}: record it again`);
  return { ...request, chain: ChainRecording.fromJson(chain) };
}
