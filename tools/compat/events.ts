import { execFileSync } from 'node:child_process';
import path from 'node:path';

const FIXTURES = 'libs/contracts/src/events/fixtures';

/** How event schemas judge event fixtures of another version. */
export interface EventsResult {
  read: number;
  /** A fixture with its first violation. */
  rejected: string[];
}

/**
 * Returns which events of one version the schemas of another reject.
 * @param schemas the root of a checkout with its packages
 * @param fixtures the root of a checkout
 */
export function explainEvents(schemas: string, fixtures: string): EventsResult {
  const script = path.join(__dirname, 'explain-events.cjs');
  const words = [script, schemas, path.join(fixtures, FIXTURES)];
  const output = execFileSync(process.execPath, words, { encoding: 'utf8', timeout: 60_000 });
  return JSON.parse(output) as EventsResult;
}
