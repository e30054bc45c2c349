import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import type { RecordingDescription } from '@plimsoll/protocols';

/** A recording of genuine contracts, by family and name. */
export interface Recording extends RecordingDescription {
  name: string;
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
      const description = JSON.parse(readFileSync(path.join(folder, file), 'utf8')) as RecordingDescription;
      return { name: file.slice(0, -'.json'.length), ...description };
    });
}
