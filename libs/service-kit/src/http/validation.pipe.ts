import { type ArgumentMetadata, Injectable, type PipeTransform } from '@nestjs/common';
import { type FieldError, invalidRequest } from '@plimsoll/contracts';
import { plainToInstance } from 'class-transformer';
import { type ValidationError, validate } from 'class-validator';
import { hasNul, nulError } from './json-body';

const PRIMITIVES = new Set<unknown>([String, Number, Boolean, Array, Object]);
/**
 * A response must not repeat a large invalid body. It names the first errors only and shortens long field
 * names.
 */
const MAX_ERRORS = 20;
const MAX_NAME_CHARS = 100;

/** Maps `whitelistValidation` to `unknown_field` and `isInt` to `is_int`: stable codes for field errors. */
function fieldCode(constraint: string): string {
  if (constraint === 'whitelistValidation') return 'unknown_field';
  return constraint.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

function flatten(errors: readonly ValidationError[], path = ''): FieldError[] {
  return errors.flatMap((error) => {
    const name = error.property.slice(0, MAX_NAME_CHARS);
    const field = path === '' ? name : `${path}.${name}`;
    const own = Object.entries(error.constraints ?? {}).map(([constraint, message]) => ({
      field,
      code: fieldCode(constraint),
      message:
        constraint === 'whitelistValidation' ? `${name} is not a field of this request. Remove it.` : message,
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
 * Validates bodies and queries against their DTO classes. Unknown body fields are an error, so that a typo
 * never becomes a default. Unknown query parameters are ignored. A path parameter is any text without NUL;
 * the handler decides whether it names a record.
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
    const dto = plainToInstance(metatype, value ?? {}) as object;
    const errors = await validate(dto, {
      whitelist: true,
      forbidNonWhitelisted: type === 'body',
      forbidUnknownValues: false,
    });
    const fieldErrors = errors.length > 0 ? flatten(errors) : nulErrors(dto);
    if (fieldErrors.length > 0) throw invalidRequest(fieldErrors.slice(0, MAX_ERRORS));
    return dto;
  }
}
