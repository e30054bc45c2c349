import { Module } from '@nestjs/common';
import { EventBusModule } from '@plimsoll/event-bus';
import { DatabaseModule, migrationsFolder, kafkaSettings } from '@plimsoll/service-kit';
import { PinoLogger } from 'nestjs-pino';
import { Pool } from 'pg';
import { ACCOUNT_CONTROLLERS, ACCOUNT_PROVIDERS } from './identity/account-api';
import { GatewayConfig } from './config';
import { DocumentsController } from './documents/documents.controller';
import { Admission } from './pipeline/admission/admission';
import { ApiCore } from './edge/api-core';
import { AccountChangePublisher } from './identity/changes/account-change-publisher';
import { AccountChanges } from './identity/changes/account-changes';
import { ApiKeys } from './identity/callers/api-keys';
import { KeyLookup } from './identity/callers/key-lookup';
import { RateLimiter } from './limits/rate-limiter';
import { Forwarder } from './pipeline/forwarding/forwarder';
import { CallSigner } from './pipeline/forwarding/sign-call';
import { Upstreams } from './pipeline/forwarding/upstreams';
import { SessionCalls } from './identity/callers/session-calls';
import { LocalRoutes } from './edge/local-routes';
import { Status } from './edge/status';
import { UpstreamReadiness } from './edge/upstream-readiness';
import { WebSocketProxy } from './streams/web-socket-proxy';
import { RequestTally } from './usage/request-tally';
import { Usage } from './usage/usage';
import { UsageWriter } from './usage/usage-writer';

@Module({
  imports: [
    DatabaseModule.forSchema('gateway', migrationsFolder(__dirname)),
    EventBusModule.forRootAsync({
      inject: [GatewayConfig, Pool, PinoLogger],
      useFactory: (config: GatewayConfig, pool: Pool, logger: PinoLogger) => ({
        ...kafkaSettings(config),
        clientId: 'gateway',
        groupId: 'gateway',
        pool,
        logger,
      }),
    }),
  ],
  controllers: [...ACCOUNT_CONTROLLERS, DocumentsController],
  providers: [
    ...ACCOUNT_PROVIDERS,
    KeyLookup,
    AccountChanges,
    AccountChangePublisher,
    ApiKeys,
    SessionCalls,
    RequestTally,
    Usage,
    UsageWriter,
    RateLimiter,
    Admission,
    Upstreams,
    CallSigner,
    Forwarder,
    WebSocketProxy,
    UpstreamReadiness,
    Status,
    LocalRoutes,
    ApiCore,
  ],
})
export class AppModule {}
