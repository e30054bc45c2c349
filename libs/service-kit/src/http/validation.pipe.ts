import { type ArgumentMetadata, Injectable, type PipeTransform } from '@nestjs/common';
import { type FieldError, invalidRequest } from '@plimsoll/contracts';
import { plainToInstance } from 'class-transformer';
import { type ValidationError, validate } from 'class-validator';
import { boundedInput, fieldsOf } from './bounded-input';
import { hasNul, nulError } from './json-body';
import { MAX_ERRORS, shortened, unknownParameters } from './unknown-names';

const PRIMITIVES = new Set<unknown>([String, Number, Boolean, Array, Object]);

/** Maps `isInt` to `is_int`: stable codes for field errors. */
function fieldCode(constraint: string): string {
  return constraint.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

function flatten(errors: readonly ValidationError[], path = ''): FieldError[] {
  return errors.flatMap((error) => {
    const name = shortened(error.property);
    const field = path === '' ? name : `${path}.${name}`;
    const own = Object.entries(error.constraints ?? {}).map(([constraint, message]) => ({
      field,
      code: fieldCode(constraint),
      message,
    }));
    return [...own, ...flatten(error.children ?? [], field)];
  });
}

/** Finds query texts that Postgres would reject. The body parser has rejected them for bodies. */
function nulErrors(query: object): FieldError[] {
  return Object.entries(query).flatMap(([field, value]) =>
    typeof value === 'string' && hasNul(value) ? [nulError(field)] : [],
  );
}

/**
 * Validates bodies and queries against their DTO classes. Unknown fields and parameters are an error, so that a
 * typo never becomes a default. A path parameter is any text without NUL; the handler decides whether it names a
 * record.
 */
@Injectable()
export class ValidationPipe implements PipeTransform {
  async transform(value: unknown, { type, metatype, data }: ArgumentMetadata): Promise<unknown> {
    if (type === 'param' && typeof value === 'string' && hasNul(value))
      throw invalidRequest([nulError(data ?? 'path')]);
    if ((type !== 'body' && type !== 'query') || !metatype || PRIMITIVES.has(metatype)) return value;
    if (type === 'body' && (value === null || typeof value !== 'object' || Array.isArray(value))) {
      if (value !== undefined)
        throw invalidRequest([{ field: '', code: 'is_object', message: 'The body must be a JSON object.' }]);
    }
    const unknown: FieldError[] = [];
    const dtoClass = metatype as new () => object;
    const input: object = value ?? {};
    const bounded = boundedInput(input, dtoClass, unknown);
    const dto = plainToInstance(dtoClass, bounded);
    const errors = await validate(dto, { whitelist: true, forbidUnknownValues: false });
    const foreign = type === 'body' ? unknown : unknownParameters(input, fieldsOf(dtoClass).names);
    const invalid = [...foreign, ...flatten(errors)];
    const fieldErrors = invalid.length > 0 ? invalid : nulErrors(dto);
    if (fieldErrors.length > 0) throw invalidRequest(fieldErrors.slice(0, MAX_ERRORS));
    return dto;
  }
}
