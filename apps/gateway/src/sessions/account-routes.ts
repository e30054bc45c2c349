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
import { ProblemFilter, WithoutIdentity } from '@plimsoll/service-kit';
import { AccountGuard } from './account-guard';

/** Codes of Postgres, its driver and Prisma for a database that is unreachable, starting or stopping. */
const AWAY_CODES = new Set(['ECONNREFUSED', 'ECONNRESET', 'ETIMEDOUT', 'P1001', 'P1002', 'P1008', 'P1017']);
const AWAY_STATES = /^(?:08|57P)/;
const AWAY_TEXT = /timeout exceeded when trying to connect|Connection terminated|Can't reach database/;

function isDatabaseAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code = '' } = error as Error & { code?: string };
  return (
    AWAY_CODES.has(code) ||
    AWAY_STATES.test(code) ||
    AWAY_TEXT.test(error.message) ||
    isDatabaseAway(error.cause)
  );
}

/** ProblemFilter, except for an unavailable database, which is not an internal error. */
@Catch()
class AccountProblemFilter implements ExceptionFilter {
  private readonly problems = new ProblemFilter();
  private readonly answer = this.problems.catch.bind(this.problems);

  catch(error: unknown, host: ArgumentsHost): void {
    this.answer(isDatabaseAway(error) ? awayProblem(error) : error, host);
  }
}

function awayProblem(cause: unknown): Problem {
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
