import { RequestMethod } from '@nestjs/common';
import { METHOD_METADATA, PATH_METADATA, ROUTE_ARGS_METADATA } from '@nestjs/common/constants';
import { RouteParamtypes } from '@nestjs/common/enums/route-paramtypes.enum';
import { RespondsWith, exampleOf } from '@plimsoll/contracts';
import type { Documentation, DtoClass, EndpointDocumentation, Operation, Operations } from './operation';

interface Route {
  controller: object;
  handler: string;
  documentation: Documentation;
}

/** Operations of this process: those of the controllers that it has imported. */
const routes: Route[] = [];
const others = new Map<string, EndpointDocumentation>();
let known: Operations | undefined;

/** Documents the route of a controller. Its method, path, query and body come from the decorators of Nest. */
export function Documented(documentation: Documentation): MethodDecorator {
  return (controller, handler, descriptor) => {
    const schema = documentation.responses.find((response) => response.schema !== null)?.schema;
    if (schema) RespondsWith(schema)(controller, handler, descriptor);
    routes.push({ controller, handler: String(handler), documentation });
    known = undefined;
  };
}

/**
 * Documents an endpoint without a controller.
 * @param key `METHOD /v1/path`, as in ENDPOINTS
 */
export function documentEndpoint(key: string, documentation: EndpointDocumentation): void {
  others.set(key, documentation);
  known = undefined;
}

/** Returns the operation of every route that this process has imported, by `METHOD /path`. */
export function declaredOperations(): Operations {
  known ??= Object.fromEntries([
    ...[...others].map(([key, documentation]) => [key, withExamples(documentation)] as const),
    ...routes.map((route) => [keyOf(route), operationOf(route)] as const),
  ]);
  return known;
}

function keyOf({ controller, handler }: Route): string {
  const method = methodOf(controller, handler);
  const base = Reflect.getMetadata(PATH_METADATA, controller.constructor) as string;
  const path = Reflect.getMetadata(PATH_METADATA, method) as string;
  const verb = RequestMethod[Reflect.getMetadata(METHOD_METADATA, method) as RequestMethod];
  return `${verb} /${[base, path].filter((part) => part !== '/').join('/')}`;
}

const methodOf = (controller: object, handler: string): object =>
  (controller as Record<string, object>)[handler] ?? {};

function operationOf(route: Route): Operation {
  const query = inputOf(route, RouteParamtypes.QUERY);
  const body = inputOf(route, RouteParamtypes.BODY);
  return {
    ...withExamples(route.documentation),
    ...(query && { query }),
    ...(body && { body, bodyExample: exampleOf(body) }),
  };
}

function withExamples<D extends Documentation>(documentation: D): D {
  const responses = documentation.responses.map((response) => {
    const example = response.example ?? (response.schema && exampleOf(response.schema));
    return { ...response, ...(example && { example }) };
  });
  return { ...documentation, responses };
}

/** Returns the class of `@Query()` or `@Body()` of a handler. */
function inputOf({ controller, handler }: Route, kind: RouteParamtypes): DtoClass | undefined {
  const inputs = (Reflect.getMetadata(ROUTE_ARGS_METADATA, controller.constructor, handler) ?? {}) as Record<
    string,
    { index: number; data?: unknown }
  >;
  const input = Object.entries(inputs).find(
    ([key, { data }]) => key.startsWith(`${kind}:`) && data === undefined,
  );
  const types = (Reflect.getMetadata('design:paramtypes', controller, handler) ?? []) as DtoClass[];
  return input && types[input[1].index];
}
