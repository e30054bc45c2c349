import { Problem } from '@plimsoll/contracts';

export const STARTING = new Problem(
  'sandbox_starting',
  'The test market of this account is starting. Send the request again after Retry-After.',
  { headers: { 'Retry-After': '3' } },
);

export const LATE = new Problem('upstream_timeout', 'The test market did not respond in time. Try again.');

export const BUSY = new Problem(
  'too_many_in_flight',
  'Too many actions wait for this test market. Send the request again after Retry-After.',
  { headers: { 'Retry-After': '1' } },
);

/** The market refused an action. The action is recorded, and a transaction that reverted added a block. */
export class Refusal extends Problem {
  constructor(cause: Error) {
    super('conflict', `The market refuses it: ${cause.message}.`, { cause });
  }
}

export function away(cause?: unknown): Problem {
  const detail = 'The test market did not respond. Try again in a moment.';
  return new Problem('upstream_unavailable', detail, { cause, headers: { 'Retry-After': '1' } });
}
