import {
  type ArgumentsHost,
  type CanActivate,
  Catch,
  Controller,
  type ExceptionFilter,
  type Type,
  UseFilters,
  UseGuards,
  applyDecorators,
} from '@nestjs/common';
import { Problem } from '@plimsoll/contracts';
import { ProblemFilter, ServiceConfig, WithoutIdentity } from '@plimsoll/service-kit';
import { AccountGuard } from './account-guard';

/** Codes of Postgres, its driver and Prisma for a database that is unreachable, starting or stopping. */
const UNAVAILABLE_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ETIMEDOUT',
  'P1001',
  'P1002',
  'P1008',
  'P1017',
]);
const UNAVAILABLE_STATES = /^(?:08|57P)/;
const UNAVAILABLE_TEXT = /timeout exceeded when trying to connect|Connection terminated|Can't reach database/;

function isDatabaseUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code = '' } = error as Error & { code?: string };
  return (
    UNAVAILABLE_CODES.has(code) ||
    UNAVAILABLE_STATES.test(code) ||
    UNAVAILABLE_TEXT.test(error.message) ||
    isDatabaseUnavailable(error.cause)
  );
}

/** ProblemFilter, except for an unavailable database, which is not an internal error. */
@Catch()
class AccountProblemFilter implements ExceptionFilter {
  private readonly respond: ProblemFilter['catch'];

  constructor(config: ServiceConfig) {
    const problems = new ProblemFilter(config);
    this.respond = problems.catch.bind(problems);
  }

  catch(error: unknown, host: ArgumentsHost): void {
    this.respond(isDatabaseUnavailable(error) ? unavailableProblem(error) : error, host);
  }
}

function unavailableProblem(cause: unknown): Problem {
  const detail = 'Accounts cannot be read at the moment. Try again in a second.';
  return new Problem('upstream_unavailable', detail, { headers: { 'Retry-After': '1' }, cause });
}

/**
 * A controller of the account API: without an identity, and behind AccountGuard.
 * @param more guards of all its routes, after AccountGuard
 */
export const AccountRoutes = (path: string, ...more: Type<CanActivate>[]): ClassDecorator =>
  applyDecorators(
    Controller(path),
    WithoutIdentity(),
    UseGuards(AccountGuard, ...more),
    UseFilters(AccountProblemFilter),
  ) as ClassDecorator;
