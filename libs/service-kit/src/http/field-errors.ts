import type { FieldError } from '@plimsoll/contracts';
import { type ValidationError, getMetadataStorage } from 'class-validator';
import { nearestName } from '../nearest-name';
import { pathInside, shortened } from './unknown-names';

type ValidationMetadata = ReturnType<
  ReturnType<typeof getMetadataStorage>['getTargetValidationMetadatas']
>[number];
type Demand = (figures: readonly unknown[]) => string;

/** A field whose value has the wrong type. Nothing else about it matters. */
const TYPES: Readonly<Record<string, Demand>> = {
  isString: () => 'a string',
  isNumber: () => 'a number',
  isInt: () => 'a whole number',
  isBoolean: () => 'true or false',
  isArray: () => 'a list',
  isObject: () => 'an object',
  nestedValidation: () => 'an object',
};
const plural = (count: unknown, what: string): string => `${String(count)} ${what}${count === 1 ? '' : 's'}`;
/** A field of the right type and form that is too small, too large or too long. */
const RANGES: Readonly<Record<string, Demand>> = {
  min: ([least]) => `be at least ${String(least)}`,
  max: ([most]) => `be at most ${String(most)}`,
  minLength: ([least]) => `have at least ${plural(least, 'character')}`,
  maxLength: ([most]) => `have at most ${plural(most, 'character')}`,
  arrayMinSize: ([least]) => `have at least ${plural(least, 'item')}`,
  arrayMaxSize: ([most]) => `have at most ${plural(most, 'item')}`,
  arrayUnique: () => 'not have an item twice',
};
const FORMATS: Readonly<Record<string, Demand>> = {
  isIn: ([words]) => `be one of ${(words as unknown[]).join(', ')}`,
  isNotEmpty: () => 'not be empty',
  isEthereumAddress: () => 'be 0x and 40 hexadecimal digits',
};

/** Constraints of class-validator that need no message of their own. */
export const KNOWN_CONSTRAINTS: ReadonlySet<string> = new Set(
  [TYPES, FORMATS, RANGES].flatMap((each) => Object.keys(each)),
);

/** The more basic a mistake, the lower its rank: type, format, range. */
function rankOf(constraint: string): number {
  return constraint in TYPES ? 0 : constraint in RANGES ? 2 : 1;
}

/** Maps `isInt` to `is_int`: stable codes for field errors. */
function fieldCode(constraint: string): string {
  return constraint.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** A violated constraint. */
interface Violation {
  constraint: string;
  /** Text of class-validator or of the DTO class, which begins with the property. */
  text: string;
  /** Absent for a nested class. */
  metadata: ValidationMetadata | undefined;
}

/** Returns whether another error has the same cause as that of a field. */
export type IsExplained = (field: string, isMissing: boolean) => boolean;

/**
 * Returns one error for each mistake, with the path of the field. Of several violated constraints the most basic one
 * counts: a value that is missing, of another type, of another format, out of range.
 */
export function fieldErrors(
  errors: readonly ValidationError[],
  isExplained: IsExplained,
  path = '',
): FieldError[] {
  return errors.flatMap((error) => {
    const field = pathInside(path, error.property, Array.isArray(error.target));
    const own = isExplained(field, givenValue(error) === undefined) ? [] : ownErrors(error, field);
    return [...own, ...fieldErrors(error.children ?? [], isExplained, field)];
  });
}

const givenValue = (error: ValidationError): unknown => error.value;

function ownErrors(error: ValidationError, field: string): FieldError[] {
  const violations = violationsOf(error);
  if (violations.length === 0) return [];
  const value = givenValue(error);
  const items = Array.isArray(value) ? value : null;
  const ofWhole = violations.filter(({ metadata }) => items === null || !metadata?.each);
  const ofItems = violations.filter((violation) => !ofWhole.includes(violation));
  return [
    ...worst(ofWhole, (violation) => errorOf(violation, error, { field, value })),
    ...(items ?? []).flatMap((item, at) =>
      worst(
        ofItems.filter(({ metadata }) => metadata && !isValid(item, metadata, error)),
        (violation) => errorOf(violation, error, { field: pathInside(field, String(at), true), value: item }),
      ),
    ),
  ];
}

function worst(
  violations: readonly Violation[],
  describe: (violation: Violation) => FieldError,
): FieldError[] {
  const [first] = violations.toSorted((a, b) => rankOf(a.constraint) - rankOf(b.constraint));
  return first ? [describe(first)] : [];
}

function violationsOf({ target, property, constraints = {} }: ValidationError): Violation[] {
  const ofClass = Array.isArray(target) || !target ? [] : metadataOf(target);
  return Object.entries(constraints).map(([constraint, text]) => ({
    constraint,
    text,
    metadata: ofClass.find((each) => each.propertyName === property && each.name === constraint),
  }));
}

const metadataOf = ({ constructor }: object): ValidationMetadata[] =>
  getMetadataStorage().getTargetValidationMetadatas(constructor, '', false, false);

/** class-validator reports that an item of a list is invalid, and not which one. */
function isValid(
  value: unknown,
  metadata: ValidationMetadata,
  { target, property }: ValidationError,
): boolean {
  const { constraints, constraintCls } = metadata;
  const args = { value, constraints, targetName: '', object: target ?? {}, property };
  return getMetadataStorage()
    .getTargetValidatorConstraints(constraintCls)
    .every(({ instance }) => instance.validate(value, args) === true);
}

function errorOf(
  { constraint, text, metadata }: Violation,
  { property }: ValidationError,
  { field, value }: { field: string; value: unknown },
): FieldError {
  const isMissing = value === undefined;
  const demand = demandOf(constraint, metadata) ?? withoutName(text, property);
  const words = constraint === 'isIn' ? (metadata?.constraints[0] as unknown[] | undefined) : undefined;
  const suggestion = typeof value === 'string' ? nearestName(value, (words ?? []).map(String)) : undefined;
  return {
    field,
    code: fieldCode(constraint),
    message: `${field} ${isMissing ? 'is required and ' : ''}${demand}.${suggestion ? ` Did you mean ${suggestion}?` : ''}`,
    ...(suggestion !== undefined && { suggestion }),
  };
}

/** `must be …`. Undefined: the text of the constraint says it. */
function demandOf(constraint: string, metadata: ValidationMetadata | undefined): string | undefined {
  if (metadata?.message !== undefined) return undefined;
  const figures = metadata?.constraints ?? [];
  const type = TYPES[constraint];
  if (type) return `must be ${type(figures)}`;
  const other = FORMATS[constraint] ?? RANGES[constraint];
  return other && `must ${other(figures)}`;
}

/** The field has a path. The text of a class has its last name. */
function withoutName(text: string, property: string): string {
  const plain = text.replace(/^each value in /, '').replace(/\.$/, '');
  return plain.startsWith(`${shortened(property)} `) ? plain.slice(property.length + 1) : plain;
}
