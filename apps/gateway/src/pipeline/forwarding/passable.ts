import { PROBLEM_CONTENT_TYPE } from '@plimsoll/contracts';

/**
 * Returns true when a service's response may reach the client unchanged. An error that is not a problem body
 * may contain internal details. A 401 means that the gateway's own identity was rejected, which the client's
 * key did not cause.
 */
export function isPassable(status: number, contentType: string | undefined): boolean {
  if (status < 400) return true;
  return status !== 401 && (contentType ?? '').startsWith(PROBLEM_CONTENT_TYPE);
}
