import { type DtoClass, type DeclaredField, type Json, fieldsOf, isOptional } from './field';

const ABOUT = Symbol('about');
const EXAMPLE = Symbol('example');

/** Description of a class in the document. */
export const About =
  (description: string, more: { examples?: readonly object[] } = {}): ClassDecorator =>
  (dto) =>
    Reflect.defineMetadata(ABOUT, { description, ...more }, dto);

/** Example of a body or response in the document. */
export const Example =
  (example: object): ClassDecorator =>
  (dto) =>
    Reflect.defineMetadata(EXAMPLE, example, dto);

/** Returns the example of a class, or undefined. */
export function exampleOf(dto: DtoClass): object | undefined {
  return Reflect.getOwnMetadata(EXAMPLE, dto) as object | undefined;
}

/**
 * Returns the JSON Schema of a response class.
 * @param refer returns the schema of a nested class: a reference, or its own schema by default
 */
export function responseSchema(dto: DtoClass, refer: (nested: DtoClass) => Json = responseSchema): Json {
  const fields = Object.entries(fieldsOf(dto));
  const required = fields.map(([name]) => name).filter((name) => !isOptional(dto, name));
  return {
    type: 'object',
    ...(Reflect.getOwnMetadata(ABOUT, dto) as Json | undefined),
    ...(required.length > 0 && { required }),
    properties: Object.fromEntries(fields.map(([name, field]) => [name, fieldSchema(field, refer)])),
  };
}

function fieldSchema(
  { schema, forms, description, options }: DeclaredField,
  refer: (nested: DtoClass) => Json,
): Json {
  const { nullable, list, map, item } = options;
  const own = typeof schema === 'function' ? refer(schema()) : schema;
  const value = forms ? { anyOf: forms().map((dto) => refer(dto)) } : own;
  const one = item === undefined ? value : { ...value, description: item };
  const { min, max } = typeof list === 'object' ? list : {};
  const whole: Json = list
    ? {
        type: 'array',
        items: one,
        ...(min !== undefined && { minItems: min }),
        ...(max !== undefined && { maxItems: max }),
      }
    : map
      ? {
          type: 'object',
          ...(typeof map === 'string' && { propertyNames: { pattern: map } }),
          additionalProperties: one,
        }
      : one;
  const shown = nullable ? orNull(whole) : whole;
  // Unchanged, the shape of an event stays the object that the document knows by name.
  return description === undefined ? shown : { ...shown, description };
}

function orNull(schema: Json): Json {
  const { type, enum: words } = schema;
  if (typeof type !== 'string') return { anyOf: [schema, { type: 'null' }] };
  return {
    ...schema,
    type: [type, 'null'],
    ...(Array.isArray(words) && { enum: [...(words as unknown[]), null] }),
  };
}
