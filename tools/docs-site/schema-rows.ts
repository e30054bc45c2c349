/** A JSON schema, or a part of a document that names one. */
export type Schema = Readonly<Record<string, unknown>>;

/** One field of a schema, as a reader of the reference sees it. */
export interface Row {
  /** `legs[].amount` */
  path: string;
  type: string;
  isRequired: boolean;
  description: string;
}

const list = (value: unknown): Schema[] => (Array.isArray(value) ? (value as Schema[]) : []);
const alternatives = (schema: Schema): Schema[] => [...list(schema['oneOf']), ...list(schema['anyOf'])];

/** Reads the schemas of a document with their references. */
export class SchemaReader {
  constructor(private readonly document: Schema) {}

  /** Follows `$ref`; fields beside it, such as a description, replace those of its target. */
  resolve<T extends Schema>(value: T): Schema {
    const reference = value['$ref'];
    if (typeof reference !== 'string') return value;
    const found = reference
      .slice(2)
      .split('/')
      .reduce<unknown>((at, key) => (at as Schema)[key.replaceAll('~1', '/')], this.document) as Schema;
    const { $ref: _, ...beside } = value;
    return { ...this.resolve(found), ...beside };
  }

  /** The type of a value with its limits: `integer, 1 to 200, default 50`. */
  typeOf(value: Schema): string {
    const schema = this.resolve(value);
    return [this.kindOf(schema), ...limitsOf(schema)].filter(Boolean).join(', ');
  }

  /** Every field of a value, with the fields inside it. A field that contains its own kind is not repeated. */
  rows(value: Schema, path = '', above: readonly string[] = []): Row[] {
    const reference = typeof value['$ref'] === 'string' ? [value['$ref']] : [];
    if (reference.some((each) => above.includes(each))) return [];
    const schema = this.resolve(value);
    const inside = [...above, ...reference];
    const rows = Object.entries((schema['properties'] ?? {}) as Record<string, Schema>).flatMap(
      ([name, property]) => {
        const at = path === '' ? name : `${path}.${name}`;
        const { description = '' } = this.resolve(property);
        const isRequired = list(schema['required']).includes(name as never);
        const row = { path: at, type: this.typeOf(property), isRequired, description: String(description) };
        return [row, ...this.rows(property, at, inside)];
      },
    );
    const map = schema['additionalProperties'];
    return distinct([
      ...rows,
      ...[...list(schema['allOf']), ...alternatives(schema)].flatMap((each) => this.rows(each, path, inside)),
      ...(schema['items'] ? this.rows(schema['items'] as Schema, `${path}[]`, inside) : []),
      ...(map && typeof map === 'object' ? this.rows(map as Schema, `${path}.*`, inside) : []),
    ]);
  }

  private kindOf(schema: Schema): string {
    if ('const' in schema) return JSON.stringify(schema['const']);
    if (schema['enum'])
      return list(schema['enum'])
        .map((each) => JSON.stringify(each))
        .join(' or ');
    const choices = alternatives(schema);
    if (choices.length > 0) return [...new Set(choices.map((each) => this.typeOf(each)))].join(' or ');
    const [first, ...others] = list(schema['allOf']);
    if (first && !schema['type'])
      return this.kindOf(this.resolve(first)) || this.kindOf(this.resolve(others[0] ?? {}));
    if (schema['type'] === 'array')
      return `array of ${this.typeOf((schema['items'] ?? {}) as Schema) || 'values'}`;
    if (schema['type'] === 'object' && typeof schema['additionalProperties'] === 'object') {
      return `map of ${this.typeOf(schema['additionalProperties'] as Schema) || 'values'}`;
    }
    return [schema['type']].flat().filter(Boolean).join(' or ');
  }
}

function limitsOf(schema: Schema): string[] {
  const number = (name: string): string => (schema[name] === undefined ? '' : String(schema[name]));
  const [least, most] = [number('minimum'), number('maximum')];
  const [fewest, largest] = [number('minItems'), number('maxItems')];
  return [
    schema['format'] ? String(schema['format']) : '',
    range(least, most, ''),
    number('exclusiveMinimum') && `above ${number('exclusiveMinimum')}`,
    number('exclusiveMaximum') && `below ${number('exclusiveMaximum')}`,
    range(number('minLength'), number('maxLength'), ' characters'),
    range(fewest, largest, ' items'),
    schema['default'] === undefined ? '' : `default ${JSON.stringify(schema['default'])}`,
  ].filter(Boolean);
}

function range(least: string, most: string, unit: string): string {
  if (least && most) return `${least} to ${most}${unit}`;
  if (least) return `at least ${least}${unit}`;
  return most && `at most ${most}${unit}`;
}

/** Alternatives often have the same fields, or only forbid one, which then has no type. */
function distinct(rows: readonly Row[]): Row[] {
  const told = rows.filter(({ type, description }) => type !== '' || description !== '');
  const known = new Map(told.map((row) => [`${row.path} ${row.type} ${row.description}`, row]));
  return [...known.values()];
}
