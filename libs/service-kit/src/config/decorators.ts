import { accessSync, constants } from 'node:fs';
import { IsInt, Matches, Max, Min, ValidateBy } from 'class-validator';
import { parseCidrs } from './cidrs';

const ORIGIN = /^https?:\/\/[^/\s,]+$/;
const ORIGINS = /^https?:\/\/[^/\s,]+(,https?:\/\/[^/\s,]+)*$/;

/** An integer from `min` to `max`, for example milliseconds. */
export function IsIntegerIn(min: number, max?: number): PropertyDecorator {
  return (target, name) => {
    if (max !== undefined) Max(max)(target, name);
    Min(min)(target, name);
    IsInt()(target, name);
  };
}

/** A number of days for which something is kept, up to ten years. */
export const IsDays = (): PropertyDecorator => IsIntegerIn(1, 3_650);

/** The origin of a service: `http://host:port`. */
export const IsOrigin = (): PropertyDecorator =>
  Matches(ORIGIN, { message: 'must be an http:// or https:// origin without a path' });

/** The origins of the instances of a service, separated by commas. */
export const IsOrigins = (): PropertyDecorator =>
  Matches(ORIGINS, {
    message: 'must be http:// or https:// origins without a path, several separated by commas',
  });

/** The address of an API that is not used when it is empty. */
export const IsUrlOrEmpty = (): PropertyDecorator =>
  Matches(/^$|^https?:\/\/[^\s]+$/, { message: 'must be an http:// or https:// address, or empty' });

export const IsPostgresUrl = (): PropertyDecorator =>
  Matches(/^postgres(ql)?:\/\//, { message: 'must be a postgres:// address' });

export const IsRedisUrl = (): PropertyDecorator =>
  Matches(/^rediss?:\/\//, { message: 'must be a redis:// address' });

/** A prefix of Redis keys, so that several platforms can share a Redis. */
export const IsRedisPrefix = (): PropertyDecorator => Matches(/^[A-Za-z0-9._:-]*$/);

/** Networks as `address/bits`, separated by commas. Empty: none. */
export const IsCidrs = (): PropertyDecorator =>
  ValidateBy({
    name: 'isCidrs',
    validator: {
      validate: isCidrs,
      defaultMessage: () => 'must be address/bits, several separated by commas, as in 127.0.0.0/8,::1/128',
    },
  });

function isCidrs(value: unknown): boolean {
  try {
    return typeof value === 'string' && parseCidrs(value).length >= 0;
  } catch {
    return false;
  }
}

/** A file that the service can read, or empty. */
export const IsFileOrEmpty = (): PropertyDecorator =>
  ValidateBy({
    name: 'isFileOrEmpty',
    validator: {
      validate: (value: unknown) => value === '' || (typeof value === 'string' && canRead(value)),
      defaultMessage: () => 'must be the path of a file that this process can read',
    },
  });

function canRead(file: string): boolean {
  try {
    accessSync(file, constants.R_OK);
    return true;
  } catch {
    return false;
  }
}

/**
 * A condition on several variables.
 * @param holds whether the configuration is valid
 * @param message follows the name of the variable
 */
export function Requires<C extends object>(
  holds: (config: C) => boolean,
  message: string,
): PropertyDecorator {
  return ValidateBy({
    name: 'requires',
    validator: {
      validate: (_value, args) => holds(args?.object as C),
      defaultMessage: () => message,
    },
  });
}
