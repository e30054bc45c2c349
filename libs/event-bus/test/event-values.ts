import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AlertV1, EventTopic, EventValue } from '@plimsoll/contracts';

const FIXTURES = join(__dirname, '../../contracts/src/events/fixtures');

/** Returns the fixture of a topic's value in libs/contracts. */
export function fixtureOf<T extends EventTopic>(topic: T): EventValue<T> {
  return JSON.parse(readFileSync(join(FIXTURES, `${topic}.json`), 'utf8')) as EventValue<T>;
}

/** Returns an alert of account number `account` with its own title. The same account has the same key. */
export function alert(title: string, account = 0): AlertV1 {
  const accountId = `acc_${String(account).padStart(22, '0')}`;
  return { ...fixtureOf('alert.v1'), accountId, title };
}
