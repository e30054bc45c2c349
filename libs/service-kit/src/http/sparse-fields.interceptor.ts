import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import { FieldsQuery, type Selectable, invalidRequest, selectableOf } from '@plimsoll/contracts';
import type { FastifyRequest } from 'fastify';
import { type Observable, map } from 'rxjs';
import { MAX_ERRORS, unknownSelection } from './unknown-names';

/** Reduces responses to the fields that `fields` of the query names. */
@Injectable()
export class SparseFieldsInterceptor implements NestInterceptor {
  private readonly known = new Map<object, Selectable | null>();

  /** @throws invalid_request that names every unknown field, before the handler runs */
  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    if (context.getType() !== 'http') return next.handle();
    const { fields } = context
      .switchToHttp()
      .getRequest<FastifyRequest<{ Querystring: FieldsQuery }>>().query;
    // The ValidationPipe rejects any other type.
    if (typeof fields !== 'string') return next.handle();
    const selectable = this.selectableOf(context);
    if (selectable === null) return next.handle();
    const names = [...new Set(fields.split(','))];
    const unknown = names.filter((name) => !selectable.names.has(name)).slice(0, MAX_ERRORS);
    if (unknown.length > 0)
      throw invalidRequest(unknown.map((name) => unknownSelection(name, selectable.names)));
    return next
      .handle()
      .pipe(map((body: unknown) => (isObject(body) ? selectable.select(body, names) : body)));
  }

  /** Null for a handler whose query has no `fields`. */
  private selectableOf(context: ExecutionContext): Selectable | null {
    const handler = context.getHandler();
    const known = this.known.get(handler);
    if (known !== undefined) return known;
    const controller = context.getClass().prototype as object;
    const inputs = (Reflect.getMetadata('design:paramtypes', controller, handler.name) ?? []) as (
      (new () => object) | undefined
    )[];
    const takes = inputs.some((input) => input === FieldsQuery || input?.prototype instanceof FieldsQuery);
    const found = takes ? selectableOf(controller, handler.name) : null;
    this.known.set(handler, found);
    return found;
  }
}

const isObject = (body: unknown): body is object => typeof body === 'object' && body !== null;
