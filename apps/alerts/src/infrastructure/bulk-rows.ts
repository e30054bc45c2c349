import { type SqlExecutor, lines } from '@plimsoll/event-bus';

/** SQL type of a column. A `time` has milliseconds since 1970 in the row. A `jsonb` has any value. */
type ColumnType = 'text' | 'int' | 'bigint' | 'float8' | 'boolean' | 'timestamptz' | 'time' | 'jsonb';

interface Column<T> {
  type: ColumnType;
  value: (row: T) => unknown;
  /** The property that the column stores. Absent for a computed value. */
  property?: string;
}

/** Columns of a table by name. */
export type Columns<T> = Readonly<Record<string, Column<T>>>;

/**
 * Returns the columns of properties: `block_at` for `blockAtMs` of type time.
 * @param computed by name of the column
 */
export function columns<T>(
  properties: Readonly<Partial<Record<ColumnType, readonly (keyof T & string)[]>>>,
  computed: Readonly<Record<string, readonly [type: ColumnType, value: (row: T) => unknown]>> = {},
): Columns<T> {
  const all: Record<string, Column<T>> = {};
  for (const [type, names] of Object.entries(properties) as [ColumnType, (keyof T & string)[]][])
    for (const property of names)
      all[columnName(type, property)] = { type, property, value: (row) => row[property] };
  for (const [name, [type, value]] of Object.entries(computed)) all[name] = { type, value };
  return all;
}

function columnName(type: ColumnType, property: string): string {
  const name = type === 'time' ? property.replace(/Ms$/, '') : property;
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/**
 * SQL: selects the properties of the columns.
 * @param table name or alias before each column, with its dot
 */
export function selectSql<T>(of: Columns<T>, table = ''): string {
  const selected = Object.entries(of).flatMap(([name, { type, property }]) => {
    if (property === undefined) return [];
    const column = `${table}${name}`;
    if (type === 'time') return `(extract(epoch FROM ${column}) * 1000)::float8 AS "${property}"`;
    return `${column}${type === 'bigint' ? '::float8' : ''} AS "${property}"`;
  });
  return selected.join(', ');
}

/** SQL: many rows as `given`, from one array parameter for each column. `place` counts them. */
function rowsSql<T>(of: Columns<T>): string {
  const arrays = Object.values(of).map(({ type }, at) => {
    const parameter = `$${at + 1}`;
    if (type === 'jsonb') return `string_to_array(${parameter}, E'\\n', '')::jsonb[]`;
    return `${parameter}::${type === 'time' ? 'float8' : type}[]`;
  });
  return `unnest(${arrays.join(', ')}) WITH ORDINALITY AS given (${Object.keys(of).join(', ')}, place)`;
}

const givenSql = <T>(of: Columns<T>, name: string): string =>
  of[name]?.type === 'time' ? `to_timestamp(given.${name} / 1000)` : `given.${name}`;

function parametersOf<T>(of: Columns<T>, rows: readonly T[]): unknown[] {
  return Object.values(of).map(({ type, value }) => {
    if (type !== 'jsonb') return rows.map(value);
    // One text is one parameter. An array would escape each quote of each document.
    return lines(rows.map((row) => jsonOf(value(row))));
  });
}

const jsonOf = (value: unknown): string | null => (value == null ? null : JSON.stringify(value));

interface InsertOptions {
  /** Columns to order by. Two batches in one order cannot block each other. */
  orderBy?: readonly string[];
  /** SQL after the rows. */
  onConflict?: string;
}

/** Replaces an existing row with the same key, except the `fixed` columns. `where` restricts it (SQL). */
export function replacing<T>(
  of: Columns<T>,
  key: readonly string[],
  { fixed = [], where = 'true' }: { fixed?: readonly string[]; where?: string } = {},
): InsertOptions {
  const replaced = Object.keys(of).filter((name) => !key.includes(name) && !fixed.includes(name));
  const set = replaced.map((name) => `${name} = excluded.${name}`).join(', ');
  return { orderBy: key, onConflict: `ON CONFLICT (${key.join(', ')}) DO UPDATE SET ${set} WHERE ${where}` };
}

/** SQL: inserts the rows into a table, which `onConflict` calls `known`. */
export function insertSql<T>(
  table: string,
  of: Columns<T>,
  { orderBy = [], onConflict = '' }: InsertOptions = {},
): string {
  const names = Object.keys(of);
  const order = orderBy.map((name) => `given.${name}`).join(', ');
  return `INSERT INTO ${table} AS known (${names.join(', ')})
    SELECT ${names.map((name) => givenSql(of, name)).join(', ')} FROM ${rowsSql(of)}
    ${order && `ORDER BY ${order}`} ${onConflict}`;
}

/**
 * SQL: updates the rows whose key columns are equal. `where` is a further condition. A given null does not
 * change a column of `keptIfNull`.
 */
export function updateSql<T>(
  table: string,
  of: Columns<T>,
  key: readonly string[],
  { where = 'true', keptIfNull = [] }: { where?: string; keptIfNull?: readonly string[] } = {},
): string {
  const valueSql = (name: string): string =>
    keptIfNull.includes(name) ? `coalesce(${givenSql(of, name)}, ${table}.${name})` : givenSql(of, name);
  const changing = Object.keys(of).filter((name) => !key.includes(name));
  return `UPDATE ${table} SET ${changing.map((name) => `${name} = ${valueSql(name)}`).join(', ')}
    FROM ${rowsSql(of)} WHERE ${key.map((name) => `${table}.${name} = given.${name}`).join(' AND ')} AND ${where}`;
}

/** Runs a statement with the rows as its parameters. Runs none without rows. */
export async function runBulk<T, R extends object = object>(
  tx: SqlExecutor,
  sql: string,
  of: Columns<T>,
  rows: readonly T[],
): Promise<R[]> {
  return rows.length === 0 ? [] : (await tx.query<R>(sql, parametersOf(of, rows))).rows;
}
