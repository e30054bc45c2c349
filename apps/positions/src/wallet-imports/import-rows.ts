import { type FieldError, type ImportedWallet, invalidRequest } from '@plimsoll/contracts';

const MOST_ERRORS = 20;
const NAMES = new Set(['address', 'label', 'walletGroupIds']);

const isText = (value: unknown): boolean => typeof value === 'string';
const isAbsentOr = (fits: (value: unknown) => boolean) => (value: unknown) =>
  value === undefined || fits(value);

/** The type of each field. class-validator would block the service for half a second. */
const TYPES: readonly [name: string, fits: (value: unknown) => boolean, error: Omit<FieldError, 'field'>][] =
  [
    ['address', isText, { code: 'is_string', message: 'is required and must be a string' }],
    ['label', isAbsentOr(isText), { code: 'is_string', message: 'must be a string' }],
    [
      'walletGroupIds',
      isAbsentOr((value) => Array.isArray(value) && value.every(isText)),
      { code: 'is_array', message: 'must be a list of strings' },
    ],
  ];

/**
 * Checks the form of the rows. Their values are checked when they are imported.
 * @throws invalid_request with the index of each row that is no object, lacks the address, or has other fields or types
 */
export function requireRows(rows: readonly unknown[]): asserts rows is ImportedWallet[] {
  const errors: FieldError[] = [];
  for (const [index, row] of rows.entries()) {
    if (errors.length >= MOST_ERRORS) break;
    errors.push(...mistakesOf(row, `wallets[${index}]`));
  }
  if (errors.length > 0) throw invalidRequest(errors.slice(0, MOST_ERRORS));
}

function mistakesOf(row: unknown, path: string): FieldError[] {
  if (typeof row !== 'object' || row === null || Array.isArray(row))
    return [{ field: path, code: 'is_object', message: `${path} must be an object.` }];
  const unknown = Object.keys(row).filter((name) => !NAMES.has(name));
  const values = row as Record<string, unknown>;
  return [
    ...unknown.slice(0, MOST_ERRORS).map((name) => ({
      field: `${path}.${name.slice(0, 100)}`,
      code: 'unknown_field',
      message: `${name.slice(0, 100)} is not a field of a wallet to import. Remove it.`,
    })),
    ...TYPES.filter(([name, fits]) => !fits(values[name])).map(([name, , { code, message }]) => ({
      field: `${path}.${name}`,
      code,
      message: `${path}.${name} ${message}.`,
    })),
  ];
}
