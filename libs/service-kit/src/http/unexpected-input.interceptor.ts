import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import { ROUTE_ARGS_METADATA } from '@nestjs/common/constants';
import { RouteParamtypes } from '@nestjs/common/enums/route-paramtypes.enum';
import type { FastifyRequest } from 'fastify';
import type { Observable } from 'rxjs';
import { refuseFields, refuseParameters } from './unknown-names';

/** Pages and probes outside of the API take any query, for example that of a browser's cache. */
const API_PATH = /^\/(?:(?:account|public)\/)?v1\//;

/**
 * Rejects every query of an endpoint without parameters, and every field for one without a body, after its guards. The
 * ValidationPipe, which runs only for handlers with a class of the input, rejects unknown names of all others.
 */
@Injectable()
export class UnexpectedInputInterceptor implements NestInterceptor {
  private readonly inputs = new Map<object, ReadonlySet<string>>();

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    if (context.getType() !== 'http') return next.handle();
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    const hasQuery = request.url.includes('?');
    const hasBody = request.body !== undefined && request.body !== null;
    if (!hasQuery && !hasBody) return next.handle();
    if (!API_PATH.test(request.routeOptions.url ?? '')) return next.handle();
    const inputs = this.inputsOf(context);
    if (hasQuery && !inputs.has(`${RouteParamtypes.QUERY}`)) refuseParameters(request.query as object);
    if (hasBody && !inputs.has(`${RouteParamtypes.BODY}`)) refuseFields(request.body);
    return next.handle();
  }

  /** The kinds of input that a handler takes, as numbers of RouteParamtypes. */
  private inputsOf(context: ExecutionContext): ReadonlySet<string> {
    const handler = context.getHandler();
    const known = this.inputs.get(handler);
    if (known !== undefined) return known;
    const metadata = (Reflect.getMetadata(ROUTE_ARGS_METADATA, context.getClass(), handler.name) ??
      {}) as object;
    const found = new Set(Object.keys(metadata).map((key) => key.split(':', 1)[0] ?? ''));
    this.inputs.set(handler, found);
    return found;
  }
}
