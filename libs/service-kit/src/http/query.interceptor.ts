import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import { ROUTE_ARGS_METADATA } from '@nestjs/common/constants';
import { RouteParamtypes } from '@nestjs/common/enums/route-paramtypes.enum';
import type { FastifyRequest } from 'fastify';
import type { Observable } from 'rxjs';
import { refuseParameters } from './unknown-names';

/** Pages and probes outside of the API take any query, for example that of a browser's cache. */
const API_PATH = /^\/(?:account\/)?v1\//;

/**
 * Rejects every query of an endpoint without parameters, after its guards. The ValidationPipe, which runs only
 * for handlers with a query class, rejects unknown parameters of all others.
 */
@Injectable()
export class QueryInterceptor implements NestInterceptor {
  private readonly withQuery = new Map<object, boolean>();

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    if (context.getType() !== 'http') return next.handle();
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    const isChecked = request.url.includes('?') && API_PATH.test(request.routeOptions.url ?? '');
    if (isChecked && !this.hasQuery(context)) refuseParameters(request.query as object);
    return next.handle();
  }

  private hasQuery(context: ExecutionContext): boolean {
    const handler = context.getHandler();
    const known = this.withQuery.get(handler);
    if (known !== undefined) return known;
    const inputs = (Reflect.getMetadata(ROUTE_ARGS_METADATA, context.getClass(), handler.name) ??
      {}) as object;
    const found = Object.keys(inputs).some((key) => key.startsWith(`${RouteParamtypes.QUERY}:`));
    this.withQuery.set(handler, found);
    return found;
  }
}
