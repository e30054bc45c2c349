import type { Json } from './canonical';
import { isNumberText } from './number-text';

/** Returns the path of the first wrong part of a value. Null: there is none. */
export type Check = (value: Json | undefined, path: string) => string | null;

const matching =
  (pattern: RegExp): Check =>
  (value, path) =>
    typeof value === 'string' && pattern.test(value) ? null : path;
export const address = matching(/^0x[0-9a-f]{40}$/);
export const hex32 = matching(/^0x[0-9a-f]{64}$/);
export const hash = matching(/^[0-9a-f]{64}$/);
export const bytes = matching(/^0x([0-9a-f]{2})*$/);
export const digits = matching(/^(0|[1-9][0-9]{0,77})$/);
/** JSON schemas count characters, not their UTF-16 units. */
export const text: Check = (value, path) =>
  typeof value === 'string' && [...value].length <= 256 ? null : path;
export const bool: Check = (value, path) => (typeof value === 'boolean' ? null : path);
export const whole: Check = (value, path) =>
  Number.isSafeInteger(value) && Number(value) >= 0 ? null : path;
export const only =
  (...values: readonly Json[]): Check =>
  (value, path) =>
    values.includes(value as Json) ? null : path;
export const orNull =
  (check: Check): Check =>
  (value, path) =>
    value === null ? null : check(value, path);
export const listOf =
  (check: Check): Check =>
  (value, path) => {
    if (!Array.isArray(value)) return path;
    for (const [index, item] of (value as readonly Json[]).entries()) {
      const wrong = check(item, `${path}[${index}]`);
      if (wrong !== null) return wrong;
    }
    return null;
  };
const isObject = (value: Json | undefined): value is Record<string, Json> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
export const mapOf =
  (check: Check): Check =>
  (value, path) => {
    if (!isObject(value)) return path;
    for (const [name, item] of Object.entries(value)) {
      const wrong = check(item, `${path}.${name}`);
      if (wrong !== null) return wrong;
    }
    return null;
  };
export const object =
  (fields: Readonly<Record<string, Check>>, optional: Readonly<Record<string, Check>> = {}): Check =>
  (value, path) => {
    if (!isObject(value)) return path;
    for (const name of Object.keys(value))
      if (!Object.hasOwn(fields, name) && !Object.hasOwn(optional, name)) return `${path}.${name}`;
    for (const [name, check] of Object.entries(fields)) {
      const wrong = check(value[name], `${path}.${name}`);
      if (wrong !== null) return wrong;
    }
    for (const [name, check] of Object.entries(optional)) {
      const wrong = value[name] === undefined ? null : check(value[name], `${path}.${name}`);
      if (wrong !== null) return wrong;
    }
    return null;
  };
export const signature = object({
  keyId: text,
  signedAt: whole,
  value: matching(/^[A-Za-z0-9_-]{86}$/),
});
/** A double as text. */
export const number: Check = (value, path) => (isNumberText(value) ? null : path);
export const upTo =
  (max: number): Check =>
  (value, path) =>
    whole(value, path) ?? (Number(value) <= max ? null : path);
