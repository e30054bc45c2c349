import { getMetadataStorage } from 'class-validator';

type Metadata = ReturnType<ReturnType<typeof getMetadataStorage>['getTargetValidationMetadatas']>[number];

/** Decorators that the type of the default or the range already describes. */
const PLAIN = new Set(['isString', 'isInt', 'isNumber', 'min', 'max']);

/**
 * Returns what the decorators of a variable demand, as sentences. Empty: any text.
 * @param defaults an instance of the class
 */
export function allowedValues(defaults: object, variable: string): string {
  const metadata = getMetadataStorage()
    .getTargetValidationMetadatas(defaults.constructor, '', false, false)
    .filter(({ propertyName }) => propertyName === variable);
  const others = metadata
    .filter(({ name = '' }) => !PLAIN.has(name))
    .map((each) => demandOf(each, defaults))
    .filter((demand) => demand !== '');
  return [...new Set([rangeOf(metadata), ...others])]
    .filter((demand) => demand !== undefined)
    .map((demand) => `${demand.charAt(0).toUpperCase()}${demand.slice(1)}.`)
    .join(' ');
}

function rangeOf(metadata: readonly Metadata[]): string | undefined {
  const kind = ['isInt', 'isNumber'].find((name) => metadata.some((each) => each.name === name));
  if (kind === undefined) return undefined;
  const noun = kind === 'isInt' ? 'an integer' : 'a number';
  const [least, most] = ['min', 'max'].map(
    (name) => metadata.find((each) => each.name === name)?.constraints[0],
  );
  if (least === undefined) return noun;
  return most === undefined
    ? `${noun} of ${figure(least)} or more`
    : `${noun} from ${figure(least)} to ${figure(most)}`;
}

const figure = (value: unknown): string => Number(value).toLocaleString('en');

function demandOf(metadata: Metadata, defaults: object): string {
  const { name, constraints, message, type } = metadata;
  // ValidateIf says when a variable is checked. Its other decorators say for what.
  if (type === 'conditionalValidation') return '';
  if (typeof message === 'string') return message;
  if (name === 'isIn')
    return `one of ${(constraints[0] as string[]).map((word) => `\`${word}\``).join(', ')}`;
  if (name === 'isBoolean') return '`true` or `false`';
  if (name === 'isNotEmpty') return 'not empty';
  if (name === 'matches') return `must match \`${String(constraints[0])}\``;
  const [own] = getMetadataStorage().getTargetValidatorConstraints(metadata.constraintCls);
  const args = { value: '', object: defaults, property: metadata.propertyName, targetName: '', constraints };
  const text = own?.instance.defaultMessage?.(args);
  if (text === undefined)
    throw new Error(`tools/configuration cannot describe the decorator ${name} of ${metadata.propertyName}`);
  return text;
}
