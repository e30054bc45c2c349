import * as contracts from '@plimsoll/contracts';
import { listShapeOf, responseSchema } from '@plimsoll/contracts';
import type { DtoClass, SuccessResponse } from '@plimsoll/openapi';
import type { TSchema } from '@sinclair/typebox';
import { type RequestSchema, requestSchema } from './request-schema';
import { namedWords } from './words';

/** A JSON value of the document. */
export type Json = Record<string, unknown>;

const CSV_LIST: Json = {
  type: 'string',
  description:
    'The list as CSV, for `Accept: text/csv`: a line of names, then one line for each item. The columns are the fields of the item, or those of `fields`. Objects and lists are JSON.',
};

const REF = '#/components/schemas/';

const isRecord = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Exports with the name of a type. Schemas with other names are parts of several types. */
const TYPES: [string, unknown][] = Object.entries(contracts).filter(([name]) => /^[A-Z][a-z]/.test(name));
const CLASSES = new Map(TYPES.filter((entry): entry is [string, DtoClass] => typeof entry[1] === 'function'));
/** Shapes have the name of their export, also when a field gives them a description of its own. */
const SHAPES = new Map(
  TYPES.flatMap(([name, value]) =>
    isRecord(value) && isRecord(value['properties']) ? [[contentOf(value), name] as const] : [],
  ),
);

function contentOf({ description: _description, examples: _examples, ...schema }: Json): string {
  return JSON.stringify(schema);
}

/**
 * Collects the schemas that the document refers to, each once: classes and shapes under their names in
 * libs/contracts, and lists of words that several of them have. A schema that occurs twice without a name would
 * become two types of a generated client.
 */
export class Components {
  private readonly schemas = new Map<string, Json>();
  private readonly classes = new Map<string, DtoClass>();

  /** Returns all collected schemas by name. */
  all(): Json {
    return Object.fromEntries([...this.schemas].sort(([a], [b]) => (a < b ? -1 : 1)));
  }

  /** Returns a reference to a shape, or the schema itself when libs/contracts does not export it. */
  ofShape(schema: TSchema): Json {
    return this.render(schema) as Json;
  }

  /** Returns the content of a response, or null without a body. */
  contentOf({ schema, example }: SuccessResponse): Json | null {
    if (schema === null) return null;
    return { 'application/json': { schema: this.ofClass(schema), example }, ...this.csvOf(schema) };
  }

  private csvOf(dto: DtoClass): Json {
    return listShapeOf(dto) === null ? {} : { 'text/csv': { schema: this.named('CsvList', CSV_LIST) } };
  }

  private ofClass(dto: DtoClass): Json {
    const known = this.classes.get(dto.name);
    if (known && known !== dto) throw new Error(`two response classes have the name ${dto.name}`);
    this.classes.set(dto.name, dto);
    return this.refer(dto.name, () =>
      this.inside(responseSchema(dto, (nested) => this.ofClass(nested as DtoClass))),
    );
  }

  /** Returns a reference to the schema of a body. */
  ofBody(dto: DtoClass): Json {
    return this.refer(dto.name, () => this.withClasses(requestSchema(dto)));
  }

  /** Returns the schema of the parameters of a query, by their names. */
  ofQuery(dto: DtoClass): RequestSchema {
    return this.render(requestSchema(dto)) as RequestSchema;
  }

  /** Names a schema that is not an export. */
  named(name: string, schema: TSchema | Json): Json {
    return this.refer(name, () => this.inside(schema));
  }

  private refer(name: string, make: () => Json): Json {
    if (!this.schemas.has(name)) {
      this.schemas.set(name, {});
      this.schemas.set(name, make());
    }
    return { $ref: REF + name };
  }

  private render(value: unknown): unknown {
    if (Array.isArray(value)) return value.map((item) => this.render(item));
    if (!isRecord(value)) return value;
    const name = isRecord(value['properties']) ? SHAPES.get(contentOf(value)) : undefined;
    if (name === undefined) return this.inside(value);
    const own = TYPES.find(([each]) => each === name)?.[1] as Json;
    return withDescription(
      this.refer(name, () => this.inside(own)),
      value,
      own,
    );
  }

  private inside(schema: Json): Json {
    const plain = Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, this.render(value)]));
    return this.withWords(withFormat(plainMap(plainUnion(plain))));
  }

  /** Refers to the schema of a list of words that has a name. */
  private withWords(schema: Json): Json {
    const { type, enum: all, ...rest } = schema;
    if (!Array.isArray(all)) return schema;
    const found = namedWords(all.filter((word) => word !== null));
    if (!found) return schema;
    const reference = this.refer(found.name, () => found.schema as Json);
    return Array.isArray(type)
      ? { anyOf: [reference, { type: 'null' }], ...rest }
      : { ...reference, ...rest };
  }

  /** class-validator-jsonschema refers to nested classes by name and does not describe them. */
  private withClasses(schema: Json): Json {
    const text = JSON.stringify(schema);
    for (const [, name = ''] of text.matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
      const nested = CLASSES.get(name);
      if (!nested) throw new Error(`${name} is used in a request and not exported by @plimsoll/contracts`);
      this.ofBody(nested);
    }
    return this.render(schema) as Json;
  }
}

/** Keeps the description of a field, which replaces that of the shape. */
function withDescription(reference: Json, { description }: Json, own: Json): Json {
  return description === undefined || description === own['description']
    ? reference
    : { ...reference, description };
}

/**
 * Turns unions of words into an enum, and `X or null` into a list of types, which readers and generators
 * expect.
 */
function plainUnion({ anyOf, ...rest }: Json): Json {
  if (!Array.isArray(anyOf)) return rest;
  const options = anyOf as Json[];
  if (options.every((option) => 'const' in option)) {
    return { type: 'string', enum: options.map((option) => option['const']), ...rest };
  }
  const [first, second] = options;
  if (options.length === 2 && typeof first?.['type'] === 'string' && second?.['type'] === 'null') {
    const { enum: words, ...others } = first;
    return {
      ...others,
      type: [first['type'], 'null'],
      ...(Array.isArray(words) && { enum: [...(words as unknown[]), null] }),
      ...rest,
    };
  }
  return { anyOf, ...rest };
}

/** The largest number of 32 bits with a sign. */
const MOST_OF_INT32 = 2 ** 31 - 1;

/** Without a format, generators make a number one of 32 bits, which loses digits of an amount and of a seed. */
function withFormat(schema: Json): Json {
  const types = new Set([schema['type']].flat());
  if ('format' in schema || 'const' in schema) return schema;
  if (types.has('number')) return { ...schema, format: 'double' };
  if (!types.has('integer') || Number(schema['maximum']) <= MOST_OF_INT32) return schema;
  return { ...schema, format: 'int64' };
}

/** TypeBox describes a map as patternProperties. Readers and generators expect additionalProperties. */
function plainMap({ patternProperties, ...rest }: Json): Json {
  if (!isRecord(patternProperties)) return rest;
  const [[pattern, additionalProperties] = []] = Object.entries(patternProperties);
  return { ...rest, ...(pattern !== '^(.*)$' && { propertyNames: { pattern } }), additionalProperties };
}
