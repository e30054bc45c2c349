import { Injectable, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { type FastifyAdapter, RouteConfig } from '@nestjs/platform-fastify';
import type { FastifyInstance } from 'fastify';
import { ClientAddresses } from '../../limits/client-address';
import { AccountLimits, type AddressLimit } from '../accounts/account-limits';

/** The longest valid body is a key with a name of 100 characters and all scopes. */
const MOST_BODY_BYTES = 4_096;

/** A route of the account API that counts toward a limit of its client address, before its body is read. */
export const LimitedByAddress = (addressLimit: AddressLimit): MethodDecorator =>
  RouteConfig({ addressLimit });

/** Bounds what a client without a session can make the account API do. */
@Injectable()
export class AccountDoor implements OnModuleInit {
  private readonly fastify: FastifyInstance;

  constructor(
    { httpAdapter }: HttpAdapterHost<FastifyAdapter>,
    private readonly addresses: ClientAddresses,
    private readonly limits: AccountLimits,
  ) {
    this.fastify = httpAdapter.getInstance<FastifyInstance>();
    this.fastify.addHook('onRoute', (route) => {
      if (route.url.startsWith('/account/v1')) route.bodyLimit = MOST_BODY_BYTES;
    });
  }

  /** After the hooks of every request, so that a refusal has its X-Request-Id. */
  onModuleInit(): void {
    this.fastify.addHook('onRequest', async ({ routeOptions, raw }) => {
      const { addressLimit } = routeOptions.config as { addressLimit?: AddressLimit };
      if (addressLimit) await this.limits.ofAddress(addressLimit, this.addresses.of(raw));
    });
  }
}
