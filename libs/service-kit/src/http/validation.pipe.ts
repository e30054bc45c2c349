import { type ArgumentMetadata, Injectable, type PipeTransform } from '@nestjs/common';
import { type FieldError, invalidRequest } from '@plimsoll/contracts';
import { plainToInstance } from 'class-transformer';
import { type ValidationError, validate } from 'class-validator';

const PRIMITIVES = new Set<unknown>([String, Number, Boolean, Array, Object]);

/** `whitelistValidation` → `unknown_field`, `isInt` → `is_int`: stable words for the code of a field error. */
function fieldCode(constraint: string): string {
  if (constraint === 'whitelistValidation') return 'unknown_field';
  return constraint.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

function flatten(errors: readonly ValidationError[], path = ''): FieldError[] {
  return errors.flatMap((error) => {
    const field = path === '' ? error.property : `${path}.${error.property}`;
    const own = Object.entries(error.constraints ?? {}).map(([constraint, message]) => ({
      field,
      code: fieldCode(constraint),
      message:
        constraint === 'whitelistValidation'
          ? `${error.property} is not a field of this request. Remove it.`
          : message,
    }));
    return [...own, ...flatten(error.children ?? [], field)];
  });
}

/**
 * Checks bodies and queries against their DTO classes. Unknown body fields are an error, so that a typo never turns
 * into a default; unknown query parameters are ignored (decisions.md, Errors).
 */
@Injectable()
export class ValidationPipe implements PipeTransform {
  async transform(value: unknown, { type, metatype }: ArgumentMetadata): Promise<unknown> {
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
    if (errors.length > 0) throw invalidRequest(flatten(errors));
    return dto;
  }
}
