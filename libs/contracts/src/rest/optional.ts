import { ValidateIf } from 'class-validator';

/**
 * The field may be left out. null is no way to leave it out (IsOptional would let it pass every other check): it is
 * refused, as the schema says.
 */
export function Optional(): PropertyDecorator {
  return ValidateIf((_, value) => value !== undefined);
}
