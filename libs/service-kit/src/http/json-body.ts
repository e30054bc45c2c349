import { type FieldError, Problem, invalidRequest } from '@plimsoll/contracts';
import { hasMoreValues } from './json-size';
import { pathInside } from './unknown-names';

/** No body of this API is nested deeper. The limit keeps recursive code far from a stack overflow. */
const MAX_DEPTH = 32;
/**
 * The largest valid body of a route without MostBodyValues has 205 values. Parsing and validating this many takes less
 * than 5 ms.
 */
const MAX_VALUES = 2_000;
const BYTE_ORDER_MARK = 0xfeff;
/**
 * `__proto__`, `constructor`, `toString` and similar names lead to an object's prototype. class-transformer
 * skips them, so the validator would not see that they are unknown fields.
 */
const isInherited = (name: string): boolean => name in Object.prototype;

/** Postgres stores no NUL in text. Such text is rejected before it reaches Postgres. */
export const hasNul = (text: string): boolean => text.includes('\0');

/** Returns the field error for text that contains a NUL character. */
export const nulError = (field: string): FieldError => ({
  field,
  code: 'no_nul',
  message: `${field} must not contain the character U+0000. Remove it.`,
});

const ENCODED = new Problem(
  'unsupported_media_type',
  'Send the body as plain JSON, without Content-Encoding.',
  { headers: { 'Accept-Encoding': 'identity' } },
);

/**
 * Permits a body without a content coding: none is decoded here, and another server may read such a body differently.
 * @throws unsupported_media_type
 */
export function requirePlain(contentEncoding: string | undefined): void {
  const coding = contentEncoding?.trim().toLowerCase() ?? '';
  if (coding !== '' && coding !== 'identity') throw ENCODED;
}

/**
 * Parses a request body. Returns undefined for an empty one, which clients send when they always set a
 * content type.
 * @param mostValues of the route
 * @throws invalid_json, or invalid_request that names the field: unknown_field (`__proto__`, `toString`),
 * too_deep (32 levels), too_large (2,000 values), not_finite (1e999), no_nul, well_formed (half of a surrogate pair)
 */
export function parseJsonBody(text: string, mostValues = MAX_VALUES): unknown {
  if (text === '') return undefined;
  if (hasMoreValues(text, mostValues)) throw invalidRequest([tooLarge(mostValues)]);
  let body: unknown;
  try {
    body = JSON.parse(text.charCodeAt(0) === BYTE_ORDER_MARK ? text.slice(1) : text);
  } catch {
    throw new Problem('invalid_json', 'The body is not valid JSON. Correct it and send it again.');
  }
  const error = findForbidden(body, 0);
  if (error) throw invalidRequest([errorAt(error)]);
  return body;
}

const tooLarge = (mostValues: number): FieldError => ({
  field: '',
  code: 'too_large',
  message: `Send at most ${mostValues} values in one body.`,
});

type ForbiddenCode = 'no_nul' | 'well_formed' | 'unknown_field' | 'not_finite' | 'too_deep';

/** The first value that no handler may receive. `path` has the innermost name first. */
interface Forbidden {
  code: ForbiddenCode;
  path: { name: string; isItem: boolean }[];
}

/** Most bodies have no such value, so the path is built on the way back from one. */
function findForbidden(value: unknown, depth: number): Forbidden | null {
  if (typeof value === 'string') return textError(value);
  if (typeof value === 'number') return Number.isFinite(value) ? null : { code: 'not_finite', path: [] };
  if (typeof value !== 'object' || value === null) return null;
  if (depth === MAX_DEPTH) return { code: 'too_deep', path: [] };
  for (const name of Object.keys(value)) {
    const found = nameError(name) ?? findForbidden((value as Record<string, unknown>)[name], depth + 1);
    if (!found) continue;
    found.path.push({ name, isItem: Array.isArray(value) });
    return found;
  }
  return null;
}

function nameError(name: string): Forbidden | null {
  return textError(name) ?? (isInherited(name) ? { code: 'unknown_field', path: [] } : null);
}

/** Postgres stores neither NUL nor half of a surrogate pair. */
function textError(text: string): Forbidden | null {
  if (hasNul(text)) return { code: 'no_nul', path: [] };
  return text.isWellFormed() ? null : { code: 'well_formed', path: [] };
}

function errorAt({ code, path }: Forbidden): FieldError {
  const field = path
    .toReversed()
    .reduce((above, { name, isItem }) => pathInside(above, name, isItem), '')
    .toWellFormed();
  const messages: Record<ForbiddenCode, string> = {
    no_nul: nulError(field).message,
    well_formed: `${field} has half of a surrogate pair. Send whole characters.`,
    unknown_field: `${path[0]?.name} is not a field of this request. Remove it.`,
    not_finite: `${field} is larger than a double can hold.`,
    too_deep: `Nest at most ${MAX_DEPTH} levels in one body.`,
  };
  return { field, code, message: messages[code] };
}
