import { type CanActivate, Controller, type Type, UseGuards, applyDecorators } from '@nestjs/common';
import { WithoutIdentity } from '@plimsoll/service-kit';
import { AccountGuard } from './account-guard';

/**
 * A controller of the account API: without an identity, and behind AccountGuard.
 * @param more guards of all its routes, after AccountGuard
 */
export const AccountRoutes = (path: string, ...more: Type<CanActivate>[]): ClassDecorator =>
  applyDecorators(Controller(path), WithoutIdentity(), UseGuards(AccountGuard, ...more)) as ClassDecorator;
