import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import { type FieldsQuery, type ListShape, listShapeOf, responseClassOf } from '@plimsoll/contracts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Observable, map } from 'rxjs';
import { csvOf, prefersCsv } from './csv';

const CONTENT_TYPE = 'text/csv; charset=utf-8; header=present';
const READS = new Set(['GET', 'HEAD']);

/** Parts of a list beside its items. */
interface ListBody extends Record<string, unknown> {
  nextCursor?: string | null;
  unreadable?: unknown[];
  unknown?: unknown[];
}

type ListRequest = FastifyRequest<{ Querystring: FieldsQuery }>;

/** Sends every list as CSV to a client that prefers it. Errors stay problems. */
@Injectable()
export class CsvInterceptor implements NestInterceptor {
  private readonly known = new Map<object, ListShape | null>();

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    if (context.getType() !== 'http') return next.handle();
    const request = context.switchToHttp().getRequest<ListRequest>();
    const list = READS.has(request.method) ? this.listOf(context) : null;
    if (list === null) return next.handle();
    const reply = context.switchToHttp().getResponse<FastifyReply>();
    void reply.header('vary', 'accept, accept-encoding');
    if (!prefersCsv(request.headers.accept)) return next.handle();
    return next.handle().pipe(map((body: ListBody) => csvResponse(request, reply, list, body)));
  }

  /** Null for a handler that returns no list. */
  private listOf(context: ExecutionContext): ListShape | null {
    const handler = context.getHandler();
    const known = this.known.get(handler);
    if (known !== undefined) return known;
    const dto = responseClassOf(context.getClass().prototype as object, handler.name);
    const found = dto ? listShapeOf(dto) : null;
    this.known.set(handler, found);
    return found;
  }
}

function csvResponse(
  { query: { fields }, url }: ListRequest,
  reply: FastifyReply,
  { places, columns }: ListShape,
  body: ListBody,
): string {
  const { nextCursor, unreadable, unknown } = body;
  void reply.header('content-type', CONTENT_TYPE);
  if (nextCursor) void reply.header('link', `<${nextPage(url, nextCursor)}>; rel="next"`);
  // CSV has no place for them, and figures without them must not look complete.
  const missing = (unreadable ?? unknown ?? []).length;
  if (missing > 0) void reply.header('x-unreadable', String(missing));
  const rows = places.flatMap((place) => (body[place] ?? []) as object | object[]);
  return csvOf(fields === undefined ? columns : [...new Set(fields.split(','))], rows);
}

function nextPage(url: string, cursor: string): string {
  const { pathname, searchParams } = new URL(url, 'http://service');
  searchParams.set('cursor', cursor);
  return `${pathname}?${searchParams.toString()}`;
}
