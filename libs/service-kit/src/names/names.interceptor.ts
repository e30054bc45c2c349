import {
  type CallHandler,
  type ExecutionContext,
  Injectable,
  type NestInterceptor,
  Optional,
} from '@nestjs/common';
import { PARAMTYPES_METADATA, ROUTE_ARGS_METADATA } from '@nestjs/common/constants';
import { RouteParamtypes } from '@nestjs/common/enums/route-paramtypes.enum';
import {
  IDENTITY_HEADER,
  type Identity,
  fieldsWithNames,
  invalidRequest,
  isEnsName,
} from '@plimsoll/contracts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Observable } from 'rxjs';
import { type NamedAddress, NameResolver } from './name-resolver';

/** Header of a response to a request with names: `<name>=<address>;block=<number>`, comma-separated. */
export const RESOLVED_NAMES_HEADER = 'resolved-names';

/** Most different names of a request. Each may cost several requests to the node. */
const MOST_NAMES = 20;
/** The parameter of a path that is a wallet. */
const WALLET_PARAMETER = 'address';

type Place = 'params' | 'query' | 'body';
type Values = Record<string, unknown>;
type NamedRequest = FastifyRequest & { identity?: Identity; sentBody?: unknown };

/** The fields of a handler that take names. */
type Fields = Readonly<Record<Place, readonly string[]>>;

/** Puts the address in the place of each ENS name, before the input is validated. The header states both. */
@Injectable()
export class NamesInterceptor implements NestInterceptor {
  private readonly known = new Map<object, Fields>();

  constructor(@Optional() private readonly names?: NameResolver) {}

  async intercept(context: ExecutionContext, next: CallHandler): Promise<Observable<unknown>> {
    if (!this.names || context.getType() !== 'http') return next.handle();
    const http = context.switchToHttp();
    const request = http.getRequest<NamedRequest>();
    const fields = this.fieldsOf(context);
    const found = namesIn(request, fields);
    const { identity } = request;
    if (found.size === 0 || !identity) return next.handle();
    const caller = { signedIdentity: String(request.headers[IDENTITY_HEADER]) };
    const { names } = this;
    // Together, so that the deadline of one name is that of all.
    const resolved = new Map(
      await Promise.all(
        [...found].map(async ([name, field]): Promise<[string, NamedAddress]> => [
          name,
          await names.addressOf(name, field, { identity, caller }),
        ]),
      ),
    );
    // Idempotency compares what the client sent. The address of a name may change between two attempts.
    request.sentBody = request.body;
    for (const place of PLACES) request[place] = replaced(request[place], fields[place], resolved) as never;
    void http.getResponse<FastifyReply>().header(RESOLVED_NAMES_HEADER, headerOf([...resolved.values()]));
    return next.handle();
  }

  private fieldsOf(context: ExecutionContext): Fields {
    const handler = context.getHandler();
    const known = this.known.get(handler);
    if (known) return known;
    const fields = declaredFields(context.getClass(), handler.name);
    this.known.set(handler, fields);
    return fields;
  }
}

const PLACES = ['params', 'query', 'body'] as const satisfies readonly Place[];

function declaredFields(controller: { prototype: object }, method: string): Fields {
  const args = (Reflect.getMetadata(ROUTE_ARGS_METADATA, controller, method) ?? {}) as Record<
    string,
    { index: number; data?: unknown }
  >;
  const types = (Reflect.getMetadata(PARAMTYPES_METADATA, controller.prototype, method) ?? []) as {
    prototype?: object;
  }[];
  const ofKind = (kind: RouteParamtypes) =>
    Object.entries(args).flatMap(([key, arg]) => (key.startsWith(`${kind}:`) ? [arg] : []));
  const ofClass = (kind: RouteParamtypes): string[] =>
    ofKind(kind).flatMap(({ index }) => fieldsWithNames(types[index]?.prototype ?? {}));
  return {
    params: ofKind(RouteParamtypes.PARAM).some(({ data }) => data === WALLET_PARAMETER)
      ? [WALLET_PARAMETER]
      : [],
    query: ofClass(RouteParamtypes.QUERY),
    body: ofClass(RouteParamtypes.BODY),
  };
}

/** The different names of a request, each with the path of the first field that has it. */
function namesIn(request: FastifyRequest, fields: Fields): Map<string, string> {
  const found = new Map<string, string>();
  const add = (name: string, field: string): void => {
    if (!found.has(name)) found.set(name, field);
    if (found.size > MOST_NAMES) throw tooMany(field);
  };
  for (const place of PLACES)
    for (const field of fields[place]) {
      const value = (request[place] as Values | null | undefined)?.[field];
      if (Array.isArray(value))
        value.forEach((item, index) => isEnsName(item) && add(item, `${field}[${index}]`));
      else if (isEnsName(value))
        parts(value)
          .filter(isEnsName)
          .forEach((part) => add(part, field));
    }
  return found;
}

const parts = (text: string): string[] => text.split(',').map((part) => part.trim());

/** A copy with the addresses, because the request may still be compared with what was sent. */
function replaced(
  input: unknown,
  fields: readonly string[],
  resolved: ReadonlyMap<string, NamedAddress>,
): unknown {
  if (fields.length === 0 || typeof input !== 'object' || input === null) return input;
  const address = (text: string): string => resolved.get(text)?.address ?? text;
  const values: Values = { ...input };
  for (const field of fields) {
    const value = values[field];
    if (Array.isArray(value))
      values[field] = value.map((item) => (isEnsName(item) ? address(item) : (item as unknown)));
    else if (isEnsName(value)) values[field] = parts(value).map(address).join(',');
  }
  return values;
}

/** A name may have any letter. A header may not. */
function headerOf(resolved: readonly NamedAddress[]): string {
  return resolved
    .map(({ name, address, block }) => `${encodeURIComponent(name)}=${address};block=${block}`)
    .join(', ');
}

function tooMany(field: string) {
  const message = `A request may have ${MOST_NAMES} different names. Send several requests, or addresses.`;
  return invalidRequest([{ field, code: 'too_many_names', message }]);
}
