import { type FieldError, Problem, invalidRequest } from '@plimsoll/contracts';

/** No body of this API is nested deeper. The limit keeps recursive code far from a stack overflow. */
const MAX_DEPTH = 32;
/**
 * A body of 1 MiB of commas would occupy the validator for seconds. The largest valid body has a few hundred
 * values.
 */
const MAX_VALUES = 10_000;
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

/**
 * Parses a request body. Returns undefined for an empty one, which clients send when they always set a
 * content type.
 * @throws invalid_json, or invalid_request that names the field: unknown_field (`__proto__`, `toString`),
 * too_deep (32 levels), too_large (10,000 values), not_finite (1e999), no_nul
 */
export function parseJsonBody(text: string): unknown {
  if (text === '') return undefined;
  let body: unknown;
  try {
    body = JSON.parse(text.charCodeAt(0) === BYTE_ORDER_MARK ? text.slice(1) : text);
  } catch {
    throw new Problem('invalid_json', 'The body is not valid JSON. Correct it and send it again.');
  }
  const error = new Inspection().visit(body, '', 0);
  if (error) throw invalidRequest([error]);
  return body;
}

/** Finds the first value in a parsed body that no handler may receive. */
class Inspection {
  #values = 0;

  visit(value: unknown, field: string, depth: number): FieldError | null {
    this.#values += 1;
    if (this.#values > MAX_VALUES)
      return { field, code: 'too_large', message: `Send at most ${MAX_VALUES} values in one body.` };
    if (typeof value === 'string') return hasNul(value) ? nulError(field) : null;
    if (typeof value === 'number' && !Number.isFinite(value))
      return { field, code: 'not_finite', message: `${field} is larger than a double can hold.` };
    if (typeof value !== 'object' || value === null) return null;
    if (depth === MAX_DEPTH)
      return { field, code: 'too_deep', message: `Nest at most ${MAX_DEPTH} levels in one body.` };
    for (const [name, child] of Object.entries(value)) {
      const path = field === '' ? name : `${field}.${name}`;
      const error = this.#nameError(name, path) ?? this.visit(child, path, depth + 1);
      if (error) return error;
    }
    return null;
  }

  #nameError(name: string, field: string): FieldError | null {
    if (hasNul(name)) return nulError(field);
    if (!isInherited(name)) return null;
    return { field, code: 'unknown_field', message: `${name} is not a field of this request. Remove it.` };
  }
}
