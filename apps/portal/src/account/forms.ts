import { ApiError } from '@plimsoll/sdk';
import type { FormEvent } from 'react';

/** Reads the text fields of a form that was sent, and keeps the browser on the page. */
export function fieldsOf(event: FormEvent<HTMLFormElement>): Record<string, string> {
  event.preventDefault();
  const fields = [...new FormData(event.currentTarget)];
  return Object.fromEntries(
    fields.flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : [])),
  );
}

/** The texts of a refused request by field, for the fields of a form. */
export function fieldErrors(error: unknown): Record<string, string> {
  if (!(error instanceof ApiError)) return {};
  return Object.fromEntries(error.fields.map(({ field, message }) => [field, message]));
}

/** The code in the part of the address after `#`, which browsers do not send to a server. */
export function codeOfAddress(): string {
  const code = location.hash.slice(1);
  return /^[\w-]{43}$/.test(code) ? code : '';
}
