import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';

/** The description of a recording of genuine contracts, as npm run record writes it. */
export interface Recording {
  name: string;
  protocol: string;
  family: string;
  source: { repository: string; commit: string; compiler: string };
  scenario: string;
  seed: number;
  wallets: { unreadable: number };
  positions: number;
  exact: number;
  different: number;
  verdicts: number;
  liquidations: { succeed: number; revert: number };
}

const FOLDER = 'test/recordings';
/** The test that replays every recording. */
export const RECORDINGS_TEST = 'libs/protocols/src/recordings.spec.ts';

/** The descriptions of all recordings, by family and name. */
export function readRecordings(): readonly Recording[] {
  const folder = path.join(__dirname, '../..', FOLDER);
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.json'))
    .toSorted()
    .map((file) => {
      const description = JSON.parse(readFileSync(path.join(folder, file), 'utf8')) as Omit<
        Recording,
        'name'
      >;
      return { name: file.slice(0, -'.json'.length), ...description };
    });
}
