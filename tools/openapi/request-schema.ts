import type { DtoClass } from '@plimsoll/openapi';
import { defaultMetadataStorage } from 'class-transformer/cjs/storage';
import { MAX, MIN } from 'class-validator';
import { targetConstructorToSchema } from 'class-validator-jsonschema';

type Json = Record<string, unknown>;

/**
 * JSON Schema of a request class. A body with other fields is rejected. Rules between fields may be added.
 */
export interface RequestSchema extends Json {
  type: 'object';
  properties: Record<string, Json>;
  required?: string[];
  additionalProperties: false;
}

/**
 * Returns the schema that a DTO class checks with its class-validator decorators, so that the document always
 * states the enforced limits. Defaults are those of the class.
 */
export function requestSchema(dto: DtoClass): RequestSchema {
  const schema = targetConstructorToSchema(dto, {
    refPointerPrefix: '#/components/schemas/',
    classTransformerMetadataStorage: defaultMetadataStorage,
    additionalConverters: {
      // The converters of the package return `number` here, which hides an integer.
      [MIN]: (meta) => ({ minimum: Number(meta.constraints?.[0]) }),
      [MAX]: (meta) => ({ maximum: Number(meta.constraints?.[0]) }),
      isMoment: () => ({ type: 'string', format: 'date-time' }),
    },
  });
  const { type: _type, properties: described = {}, required: named = [], ...between } = schema;
  const defaults = new dto() as Json;
  const properties = Object.fromEntries(
    Object.entries(described as Record<string, Json>).map(([name, property]) => {
      const preset = defaults[name];
      const shown = withoutNul(property);
      return [name, preset === undefined ? shown : { ...shown, default: preset }];
    }),
  );
  const required = named.filter((name) => defaults[name] === undefined);
  return {
    type: 'object',
    properties,
    ...(required.length > 0 && { required }),
    ...between,
    additionalProperties: false,
  };
}

/** Free text must not contain U+0000. service-kit rejects it everywhere. */
function withoutNul(property: Json): Json {
  const { items } = property;
  if (typeof items === 'object' && items !== null) return { ...property, items: withoutNul(items as Json) };
  const isFree = ['pattern', 'enum', 'format'].every((rule) => property[rule] === undefined);
  return property['type'] === 'string' && isFree ? { ...property, pattern: '^[^\\u0000]*$' } : property;
}
