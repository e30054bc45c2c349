import { type FieldError, invalidRequest } from '@plimsoll/contracts';
import { nearestName } from '../nearest-name';

/** A response must not repeat a large invalid request, and shortens long names. */
export const MAX_ERRORS = 20;
const MAX_NAME_CHARS = 100;

export const shortened = (name: string): string => name.slice(0, MAX_NAME_CHARS);

/** Returns the path of a part: `scenarios`, `scenarios[0]`, `scenarios[0].asset`. `path` is empty at the top. */
export function pathInside(path: string, name: string, isItem: boolean): string {
  if (isItem) return `${path}[${name}]`;
  return path === '' ? shortened(name) : `${path}.${shortened(name)}`;
}

/** Returns the error for a field that its class does not declare. */
export const unknownField = (name: string, field: string, known: Iterable<string>): FieldError =>
  unknownName(name, field, known, { code: 'unknown_field', what: 'a field of this request' });

/** Returns the error for a name in `fields` that the response does not have. */
export const unknownSelection = (name: string, known: Iterable<string>): FieldError =>
  unknownName(name, 'fields', known, { code: 'unknown_field', what: 'a field of this response' });

const NONE: ReadonlySet<string> = new Set();

/**
 * Returns the errors for the parameters of a query that its endpoint does not have.
 * @param known the names of its parameters; the default is none
 */
export function unknownParameters(query: object, known = NONE): FieldError[] {
  return Object.keys(query)
    .filter((name) => !known.has(name))
    .slice(0, MAX_ERRORS)
    .map((name) =>
      unknownName(name, shortened(name), known, {
        code: 'unknown_parameter',
        what: 'a query parameter of this endpoint',
      }),
    );
}

/** @throws invalid_request for any query of an endpoint without parameters */
export function refuseParameters(query: object): void {
  const errors = unknownParameters(query);
  if (errors.length > 0) throw invalidRequest(errors);
}

/** @throws invalid_request for any field in the body of an endpoint without one. An empty object has none. */
export function refuseFields(body: unknown): void {
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw invalidRequest([
      { field: '', code: 'is_object', message: 'This endpoint takes no body. Send none.' },
    ]);
  const errors = Object.keys(body)
    .slice(0, MAX_ERRORS)
    .map((name) => unknownField(name, shortened(name), NONE));
  if (errors.length > 0) throw invalidRequest(errors);
}

function unknownName(
  name: string,
  field: string,
  known: Iterable<string>,
  { code, what }: { code: string; what: string },
): FieldError {
  const suggestion = nearestName(name, known);
  const remedy = suggestion === undefined ? 'Remove it.' : `Did you mean ${suggestion}?`;
  return {
    field,
    code,
    message: `${shortened(name)} is not ${what}. ${remedy}`,
    ...(suggestion !== undefined && { suggestion }),
  };
}
