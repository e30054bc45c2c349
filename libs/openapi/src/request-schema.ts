import { defaultMetadataStorage } from 'class-transformer/cjs/storage';
import { MAX, MIN } from 'class-validator';
import { targetConstructorToSchema } from 'class-validator-jsonschema';
import type { DtoClass } from './operation';

type Json = Record<string, unknown>;

/** JSON Schema of a request class; what is not in it is refused in a body. Rules between fields may stand beside them. */
export interface RequestSchema extends Json {
  type: 'object';
  properties: Record<string, Json>;
  required?: string[];
  additionalProperties: false;
}

/**
 * The schema that a DTO class checks by its class-validator decorators: the document cannot say another limit than the
 * service enforces. Defaults are those of the class.
 */
export function requestSchema(dto: DtoClass): RequestSchema {
  const schema = targetConstructorToSchema(dto, {
    refPointerPrefix: '#/components/schemas/',
    classTransformerMetadataStorage: defaultMetadataStorage,
    additionalConverters: {
      // The converters of the package say `number` here, which hides an integer.
      [MIN]: (meta) => ({ minimum: Number(meta.constraints?.[0]) }),
      [MAX]: (meta) => ({ maximum: Number(meta.constraints?.[0]) }),
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

/** A text that may hold anything may hold no U+0000: service-kit refuses it everywhere. */
function withoutNul(property: Json): Json {
  const { items } = property;
  if (typeof items === 'object' && items !== null) return { ...property, items: withoutNul(items as Json) };
  const isFree = ['pattern', 'enum', 'format'].every((rule) => property[rule] === undefined);
  return property['type'] === 'string' && isFree ? { ...property, pattern: '^[^\\u0000]*$' } : property;
}
