import { ValidateIf } from 'class-validator';

/**
 * The field may be absent. null is rejected, as in the schema, because IsOptional would skip all other checks
 * for null.
 */
export function Optional(): PropertyDecorator {
  return ValidateIf((_, value) => value !== undefined);
}
