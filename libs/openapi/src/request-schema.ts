import { defaultMetadataStorage } from 'class-transformer/cjs/storage';
import { MAX, MIN } from 'class-validator';
import { targetConstructorToSchema } from 'class-validator-jsonschema';
import type { DtoClass } from './operation';

type Json = Record<string, unknown>;

/** JSON Schema of a request class; what is not in it is refused in a body. */
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
  const defaults = new dto() as Json;
  const properties = Object.fromEntries(
    Object.entries((schema.properties ?? {}) as Record<string, Json>).map(([name, property]) => {
      const preset = defaults[name];
      return [name, preset === undefined ? property : { ...property, default: preset }];
    }),
  );
  const required = schema.required?.filter((name) => defaults[name] === undefined) ?? [];
  return {
    type: 'object',
    properties,
    ...(required.length > 0 && { required }),
    additionalProperties: false,
  };
}
