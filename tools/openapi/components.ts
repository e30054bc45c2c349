import * as contracts from '@plimsoll/contracts';
import { responseSchema } from '@plimsoll/contracts';
import type { DtoClass, SuccessResponse } from '@plimsoll/openapi';
import type { TSchema } from '@sinclair/typebox';
import { requestSchema } from './request-schema';

/** A JSON value of the document. */
export type Json = Record<string, unknown>;

const REF = '#/components/schemas/';

/** Schemas of libs/contracts have the name of their export. */
const NAMES = new Map<unknown, string>(Object.entries(contracts).map(([name, value]) => [value, name]));
const CLASSES = new Map(
  Object.entries(contracts).filter((entry): entry is [string, DtoClass] => typeof entry[1] === 'function'),
);

const isRecord = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Collects the schemas that the document refers to, each once, under the name of its export. */
export class Components {
  private readonly schemas = new Map<string, Json>();

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
    return { 'application/json': { schema: this.ofClass(schema), example } };
  }

  private ofClass(dto: DtoClass): Json {
    const make = (): Json => this.inside(responseSchema(dto, (nested) => this.ofClass(nested as DtoClass)));
    return NAMES.has(dto) ? this.refer(dto.name, make) : make();
  }

  /** Returns a reference to the schema of a body. */
  ofBody(dto: DtoClass): Json {
    return this.refer(dto.name, () => this.withClasses(requestSchema(dto)));
  }

  /** Names a schema that is not an export. */
  named(name: string, schema: TSchema): Json {
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
    const name = NAMES.get(value);
    return name === undefined ? this.inside(value) : this.refer(name, () => this.inside(value));
  }

  private inside(schema: Json): Json {
    const plain = Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, this.render(value)]));
    return plainMap(plainUnion(plain));
  }

  /** class-validator-jsonschema refers to nested classes by name and does not describe them. */
  private withClasses(schema: Json): Json {
    const text = JSON.stringify(schema);
    for (const [, name = ''] of text.matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
      const nested = CLASSES.get(name);
      if (!nested) throw new Error(`${name} is used in a request and not exported by @plimsoll/contracts`);
      this.ofBody(nested);
    }
    return schema;
  }
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

/** TypeBox describes a map as patternProperties. Readers and generators expect additionalProperties. */
function plainMap({ patternProperties, ...rest }: Json): Json {
  if (!isRecord(patternProperties)) return rest;
  const [[pattern, additionalProperties] = []] = Object.entries(patternProperties);
  return { ...rest, ...(pattern !== '^(.*)$' && { propertyNames: { pattern } }), additionalProperties };
}
