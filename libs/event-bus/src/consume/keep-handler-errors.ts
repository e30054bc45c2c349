import { Catch, UseFilters, type RpcExceptionFilter } from '@nestjs/common';
import type { DiscoveryService } from '@nestjs/core';
import { PATTERN_METADATA } from '@nestjs/microservices/constants';
import { throwError, type Observable } from 'rxjs';

@Catch()
class KeepError implements RpcExceptionFilter {
  catch(error: unknown): Observable<never> {
    return throwError(() => error);
  }
}

const kept = new WeakSet<object>();

/**
 * Without it, Nest logs a handler's error and replaces it by `{ status: 'error' }`, which hides whether the
 * event or a dependency failed. Call it before the microservice is connected, because Nest reads the filters
 * then.
 */
export function keepHandlerErrors(discovery: DiscoveryService): void {
  for (const { metatype } of discovery.getControllers()) {
    const prototype = metatype?.prototype as object | undefined;
    if (!prototype) continue;
    for (const [name, descriptor] of Object.entries(Object.getOwnPropertyDescriptors(prototype))) {
      const method: unknown = descriptor.value;
      if (typeof method !== 'function' || kept.has(method) || !Reflect.hasMetadata(PATTERN_METADATA, method))
        continue;
      UseFilters(new KeepError())(prototype, name, descriptor);
      kept.add(method);
    }
  }
}
