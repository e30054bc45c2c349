import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import type { ChainRecording } from '@plimsoll/evm';
import { parseReading } from '../../libs/protocols/src/verdicts/recorded-reading';

const FOLDER = path.join(__dirname, '../recordings');

/** The recordings of genuine contracts of these families. */
export function recordingNames(families: readonly string[]): string[] {
  return families.flatMap((family) =>
    readdirSync(path.join(FOLDER, family))
      .filter((file) => file.endsWith('.json.gz'))
      .map((file) => `${family}/${file.slice(0, -'.json.gz'.length)}`),
  );
}

/** The chain of a recording. */
export function recordedChain(name: string): ChainRecording {
  return parseReading(readFileSync(path.join(FOLDER, `${name}.json.gz`))).chain;
}
