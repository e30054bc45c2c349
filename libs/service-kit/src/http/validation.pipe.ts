import { type ArgumentMetadata, Injectable, type PipeTransform } from '@nestjs/common';
import { type FieldError, invalidRequest } from '@plimsoll/contracts';
import { plainToInstance } from 'class-transformer';
import { validate } from 'class-validator';
import { boundedInput, fieldsOf } from './bounded-input';
import { type IsExplained, fieldErrors } from './field-errors';
import { hasNul, nulError } from './json-body';
import { MAX_ERRORS, unknownParameters } from './unknown-names';

const PRIMITIVES = new Set<unknown>([String, Number, Boolean, Array, Object]);

/**
 * Returns whether errors of the names explain one of the validator: a misspelled field is not also missing, and a part
 * that was not passed on is not also empty.
 */
function explainedBy(ofNames: readonly FieldError[]): IsExplained {
  const reported = new Set(ofNames.map(({ field }) => field));
  const meant = new Set(ofNames.map(({ field, suggestion = '' }) => beside(field, suggestion)));
  return (field, isMissing) =>
    (isMissing && meant.has(field)) ||
    reported.has(field) ||
    partsAbove(field).some((above) => reported.has(above));
}

/** `inner[0].nmae` and `name` → `inner[0].name`. */
function beside(field: string, name: string): string {
  return field.slice(0, field.lastIndexOf('.') + 1) + name;
}

/** `a[0].b` → `a`, `a[0]`. */
function partsAbove(field: string): string[] {
  return [...field.matchAll(/[.[]/g)].map(({ index }) => field.slice(0, index));
}

/** @param unknown the errors of the same names as if they were fields, and of values that are too large */
function foreignParameters(input: object, dtoClass: new () => object, unknown: FieldError[]): FieldError[] {
  const tooLarge = unknown.filter(({ code }) => code !== 'unknown_field');
  return [...unknownParameters(input, fieldsOf(dtoClass).names), ...tooLarge];
}

/** Finds query texts that Postgres would reject. The body parser has rejected them for bodies. */
function nulErrors(query: object): FieldError[] {
  return Object.entries(query).flatMap(([field, value]) =>
    typeof value === 'string' && hasNul(value) ? [nulError(field)] : [],
  );
}

/** The validator checks no more of them than whether they are lists, and how long. */
function partsAsSent(input: object, dtoClass: new () => object): object {
  const { asSent } = fieldsOf(dtoClass);
  return asSent.size === 0
    ? {}
    : Object.fromEntries(Object.entries(input).filter(([name]) => asSent.has(name)));
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
    const dto = Object.assign(plainToInstance(dtoClass, bounded), partsAsSent(input, dtoClass));
    const errors = await validate(dto, { whitelist: true, forbidUnknownValues: false });
    const foreign = type === 'body' ? unknown : foreignParameters(input, dtoClass, unknown);
    const invalid = [...foreign, ...fieldErrors(errors, explainedBy(foreign))];
    const refused = invalid.length > 0 ? invalid : nulErrors(dto);
    if (refused.length > 0) throw invalidRequest(refused.slice(0, MAX_ERRORS));
    return dto;
  }
}
