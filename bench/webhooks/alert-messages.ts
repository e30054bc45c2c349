import { readFileSync } from 'node:fs';
import path from 'node:path';
import { type AlertV1, newId } from '@plimsoll/contracts';
import type { Message } from 'kafkajs';

const FIXTURE = path.join(__dirname, '../../libs/contracts/src/events/fixtures/alert.v1.json');
const fixture = JSON.parse(readFileSync(FIXTURE, 'utf8')) as AlertV1;

/** An alert of an account as a message of alert.v1, with a separate event id. */
export function alertMessage(accountId: string): Message & { eventId: string } {
  const value: AlertV1 = { ...fixture, accountId, alertId: newId('alt') };
  const eventId = newId('evt');
  const headers = {
    ce_specversion: '1.0',
    ce_id: eventId,
    ce_type: 'alert.v1',
    ce_source: '/bench',
    ce_time: new Date().toISOString(),
    ce_subject: accountId,
    'content-type': 'application/json',
    'x-request-id': 'bench',
    traceparent: `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`,
  };
  return { eventId, key: accountId, value: JSON.stringify(value), headers };
}
