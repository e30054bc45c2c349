/** A JSON schema, or a part of a document that names one. */
export type Schema = Readonly<Record<string, unknown>>;

export interface EventDocument {
  webhooks: Record<string, { post: { requestBody: { content: Record<string, { schema: Schema }> } } }>;
  components: { schemas: Record<string, Schema> };
}

export interface FieldRow {
  /** `data.position.healthFactor` */
  path: string;
  type: string;
  description: string;
}

/** An event type: its fields, and a request with the examples of the document. */
export interface EventSchema {
  fields: readonly FieldRow[];
  example: unknown;
}

const list = (value: unknown): Schema[] => (Array.isArray(value) ? (value as Schema[]) : []);

/** The schemas of the webhook requests by event type. */
export function eventSchemas({ webhooks, components }: EventDocument): Map<string, EventSchema> {
  const resolve = (schema: Schema): Schema => {
    const name = typeof schema['$ref'] === 'string' ? schema['$ref'].split('/').at(-1) : undefined;
    if (name === undefined) return schema;
    const { $ref: _, ...beside } = schema;
    return { ...resolve(components.schemas[name] ?? {}), ...beside };
  };
  /** A value that may be null is one of its other forms. */
  const valueOf = (schema: Schema): Schema => {
    const found = resolve(schema);
    const forms = [...list(found['anyOf']), ...list(found['oneOf'])].map(resolve);
    const form = forms.find(({ type }) => type !== 'null');
    return form
      ? { ...valueOf(form), ...(found['description'] ? { description: found['description'] } : {}) }
      : found;
  };
  const properties = (schema: Schema): [string, Schema][] => {
    const own = Object.entries((schema['properties'] ?? {}) as Record<string, Schema>);
    return [...own, ...list(schema['allOf']).flatMap((each) => properties(valueOf(each)))];
  };
  const rows = (schema: Schema, path: string): FieldRow[] =>
    properties(valueOf(schema)).flatMap(([name, property]) => {
      const value = valueOf(property);
      const at = path === '' ? name : `${path}.${name}`;
      const items =
        value['type'] === 'array' && value['items'] ? rows(value['items'] as Schema, `${at}[]`) : [];
      const row = {
        path: at,
        type: typeOf(resolve(property), value),
        description: String(value['description'] ?? ''),
      };
      return [row, ...rows(value, at), ...items];
    });
  const example = (schema: Schema): unknown => {
    const value = valueOf(schema);
    const [given] = list(value['examples']);
    if (given !== undefined) return given;
    if ('const' in value) return value['const'];
    const [word] = list(value['enum']);
    if (word !== undefined) return word;
    const inside = properties(value);
    if (inside.length > 0) return Object.fromEntries(inside.map(([name, each]) => [name, example(each)]));
    const types = [value['type']].flat();
    const [type] = types;
    if (type === 'array') return value['items'] ? [example(value['items'] as Schema)] : [];
    // A text without an example would say nothing.
    if (type === 'string' && types.includes('null')) return null;
    return SAMPLES[value['format'] === 'date-time' ? 'date-time' : String(type)] ?? null;
  };
  return new Map(
    Object.entries(webhooks).flatMap(([name, { post }]) => {
      const schema = post.requestBody.content['application/json']?.schema;
      return schema ? [[name, { fields: rows(schema, ''), example: example(schema) }] as const] : [];
    }),
  );
}

const SAMPLES: Readonly<Record<string, unknown>> = {
  'date-time': '2026-11-21T12:00:00.000Z',
  string: '…',
  integer: 1,
  number: 1.5,
  boolean: true,
  object: {},
};

/** The type of a value in words. */
function typeOf(declared: Schema, value: Schema): string {
  const words = 'const' in value ? [value['const']] : list(value['enum']);
  const kind =
    words.length > 0
      ? words.filter((word) => word !== null).join(' · ')
      : [value['type']].flat().find((each) => each !== 'null');
  const types = [
    declared['type'],
    ...[...list(declared['anyOf']), ...list(declared['oneOf'])].map(({ type }) => type),
  ];
  return `${String(kind ?? 'value')}${types.flat().includes('null') ? ' or null' : ''}`;
}
