import { PROBLEM_CONTENT_TYPE } from '@plimsoll/contracts';

/**
 * True when a service's answer may reach the client as it is. An error that is no problem body may hold anything from
 * inside; a 401 says that the gateway's own identity was refused, which is no fault of the client's key.
 */
export function isPassable(status: number, contentType: string | undefined): boolean {
  if (status < 400) return true;
  return status !== 401 && (contentType ?? '').startsWith(PROBLEM_CONTENT_TYPE);
}
