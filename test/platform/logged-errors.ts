import { readFileSync } from 'node:fs';
import type { ServiceProcess } from './service-process';

const ERROR_LEVEL = 50;
/** A reader without a database logs it as a warning. */
const SKIPPED = 'a message is not an event';

interface LogLine {
  level?: number;
  msg?: string;
  err?: { message?: string };
  error?: string;
  reason?: string;
}

/** The errors that a service logged, and the events that it could not read. */
export function loggedErrors({ name, logFile }: ServiceProcess): string[] {
  return readFileSync(logFile, 'utf8')
    .split('\n')
    .slice(0, -1)
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as LogLine)
    .filter(({ level = 0, msg }) => level >= ERROR_LEVEL || msg === SKIPPED)
    .map(({ msg, err, error, reason }) => `${name}: ${msg}: ${err?.message ?? error ?? reason ?? ''}`);
}
