import type { DtoClass, Operation } from '@plimsoll/openapi';
import type { Components, Json } from './components';
import { requestSchema } from './request-schema';

/** Returns the parameters of the path and the query, as the validators check them. */
export function parametersOf(
  { path = {}, query }: Pick<Operation, 'path' | 'query'>,
  components: Components,
): Json[] {
  const inPath = Object.entries(path).map(([name, schema]) => {
    const { description, ...plain } = JSON.parse(JSON.stringify(schema)) as Json;
    return { name, in: 'path', required: true, description, schema: plain };
  });
  return [...inPath, ...(query ? queryParameters(query, components) : [])];
}

function queryParameters(query: DtoClass, components: Components): Json[] {
  const { properties, required = [] } = components.ofQuery(query);
  return Object.entries(properties).map(([name, { description, ...schema }]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    description,
    schema,
  }));
}

/** Returns the JSON body of a request. It is optional when no field is required. */
export function requestBody(body: DtoClass, example: object | undefined, components: Components): Json {
  const { required = [] } = requestSchema(body);
  return {
    required: required.length > 0,
    content: { 'application/json': { schema: components.ofBody(body), example } },
  };
}
