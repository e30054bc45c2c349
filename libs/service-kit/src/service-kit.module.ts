import { type DynamicModule, Module } from '@nestjs/common';
import { APP_FILTER, APP_GUARD, APP_INTERCEPTOR, APP_PIPE } from '@nestjs/core';
import { LoggerModule } from 'nestjs-pino';
import { Clock } from './background/clock';
import { AccountSlots } from './concurrency/account-slots';
import { DatabaseConfig, EventServiceConfig, KafkaConfig, ServiceConfig } from './config/service.config';
import { Health } from './health/health';
import { HealthController } from './health/health.controller';
import { CsvInterceptor } from './http/csv.interceptor';
import { ProblemFilter } from './http/problem.filter';
import { SparseFieldsInterceptor } from './http/sparse-fields.interceptor';
import { UnexpectedInputInterceptor } from './http/unexpected-input.interceptor';
import { ValidationPipe } from './http/validation.pipe';
import { IdentityGuard } from './identity/identity.guard';
import { ServiceIdentity } from './identity/service-identity';
import { loggerOptions } from './logging';
import { NamesInterceptor } from './names/names.interceptor';
import { OperationsServer } from './operations/operations-server';
import { ServiceCalls } from './upstream/service-calls';

/**
 * The parts of every service: configuration, clock, logs, health, metrics, the identity guard, validation and
 * the problem filter.
 */
@Module({})
export class ServiceKitModule {
  /** @param config injectable as its own class and as each base class that it extends */
  static forService(config: ServiceConfig): DynamicModule {
    const classes = [
      config.constructor,
      ServiceConfig,
      DatabaseConfig,
      KafkaConfig,
      EventServiceConfig,
    ].filter((token, at, all) => config instanceof (token as new () => object) && all.indexOf(token) === at);
    const configs = classes.map((provide) => ({ provide, useValue: config }));
    return {
      module: ServiceKitModule,
      global: true,
      imports: [
        LoggerModule.forRoot({ pinoHttp: loggerOptions(config.LOG_LEVEL, config.LOG_NAME), forRoutes: [] }),
      ],
      controllers: [HealthController],
      providers: [
        ...configs,
        AccountSlots,
        Clock,
        Health,
        OperationsServer,
        ServiceCalls,
        ServiceIdentity,
        { provide: APP_GUARD, useClass: IdentityGuard },
        { provide: APP_INTERCEPTOR, useClass: UnexpectedInputInterceptor },
        { provide: APP_INTERCEPTOR, useClass: NamesInterceptor },
        { provide: APP_INTERCEPTOR, useClass: CsvInterceptor },
        { provide: APP_INTERCEPTOR, useClass: SparseFieldsInterceptor },
        { provide: APP_PIPE, useClass: ValidationPipe },
        { provide: APP_FILTER, useClass: ProblemFilter },
      ],
      exports: [...configs, AccountSlots, Clock, Health, OperationsServer, ServiceCalls, ServiceIdentity],
    };
  }
}
