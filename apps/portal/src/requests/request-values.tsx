import type { ReactNode } from 'react';
import { Status } from '../design/values';
import type { LoggedRequest } from './requests';

/** The status of a response with its tone, or that there was none. */
export function ResponseStatus({ status }: Pick<LoggedRequest, 'status'>): ReactNode {
  if (status === null) return <Status tone="off">no response</Status>;
  return <Status tone={status >= 500 ? 'bad' : status >= 400 ? 'warn' : 'good'}>{status}</Status>;
}

export const sourceOf = (
  { keyId }: Pick<LoggedRequest, 'keyId'>,
  names: ReadonlyMap<string, string>,
): string => (keyId === null ? 'a page' : (names.get(keyId) ?? keyId));
