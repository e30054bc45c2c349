const NAMES = Symbol('names');

const ADDRESS = '0x[0-9a-fA-F]{40}';
/** A text with a dot. The service that resolves it checks more. */
const NAME = '[^,\\s\\u0000]{1,251}\\.[^,\\s\\u0000]{1,251}';

/** Longest ENS name. */
export const MOST_NAME_CHARS = 255;

/** Whether a value is meant as an ENS name and not as an address. An address has no dot. */
export const isEnsName = (value: unknown): value is string =>
  typeof value === 'string' && value.includes('.');

/** Schema of a wallet in a request: an address or an ENS name. */
export const WALLET_PATTERN = `^(${ADDRESS}|${NAME})$`;
/** The same for several, comma-separated. */
export const WALLETS_PATTERN = `^(${ADDRESS}|${NAME})(,(${ADDRESS}|${NAME}))*$`;

/** Sentence of the description of each such field. */
export const OR_NAME = 'An ENS name means the address that it has now.';

/**
 * The field takes ENS names beside addresses: one text, a comma-separated text, or a list. A handler sees addresses
 * only.
 */
export function AcceptsNames(): PropertyDecorator {
  return (target, name) => Reflect.defineMetadata(NAMES, [...fieldsWithNames(target), String(name)], target);
}

/** Returns the names of the fields with AcceptsNames of a class. */
export function fieldsWithNames(prototype: object): readonly string[] {
  return (Reflect.getMetadata(NAMES, prototype) as string[] | undefined) ?? [];
}
