import { ENDPOINTS } from '@plimsoll/access';
import { FieldsQuery, selectable } from '@plimsoll/contracts';
import { type Operation, declaredOperations, isOutsidePath } from '@plimsoll/openapi';
import { checkResponse, importDocumentedEndpoints } from '@plimsoll/testing';
import { plainToInstance } from 'class-transformer';
import { validateSync } from 'class-validator';
import { requestSchema } from './request-schema';

importDocumentedEndpoints('*');
const OPERATIONS = declaredOperations();
const isOutsideKey = (key: string): boolean => isOutsidePath(key.split(' ')[1] ?? '');
const OUTSIDE_OPERATIONS = Object.fromEntries(
  Object.entries(OPERATIONS).filter(([key]) => isOutsideKey(key)),
);
const keyOf = ({ method, path }: { method: string; path: string }): string => `${method} ${path}`;

describe('the operations of the controllers', () => {
  it('has one operation for each row of ENDPOINTS and no other', () => {
    expect(
      Object.keys(OPERATIONS)
        .filter((key) => !isOutsideKey(key))
        .sort(),
    ).toEqual(ENDPOINTS.map(keyOf).sort());
  });

  it('gives each a unique operationId', () => {
    const ids = Object.values(OPERATIONS).map(({ operationId }) => operationId);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('takes `fields` for every list and every record with an id, and reduces their examples', () => {
    const reading = ENDPOINTS.filter(({ method, upgrade }) => method === 'GET' && !upgrade).map(keyOf);
    for (const key of reading) {
      const { query, responses } = OPERATIONS[key]!;
      const { schema, example } = responses[0]!;
      const isList = example !== undefined && 'nextCursor' in example;
      const isRecord = key.endsWith('/:id');
      const takes = query !== undefined && new query() instanceof FieldsQuery;
      expect([key, takes]).toEqual([key, isList || isRecord]);
      if (!takes) continue;
      const { names, select } = selectable(schema!);
      const [first] = names;
      const reduced = JSON.stringify(select(example!, [first!]));
      expect(reduced).toContain(`{"${first}":`);
      expect(reduced.length).toBeLessThan(JSON.stringify(example).length);
      if (isList) expect(select(example!, [])).toMatchObject({ nextCursor: null });
    }
  });

  describe.each(ENDPOINTS.map((endpoint) => [keyOf(endpoint), endpoint] as const))('%s', (key, endpoint) => {
    const operation = OPERATIONS[key];

    it('describes each parameter of its path', () => {
      const names = [...endpoint.path.matchAll(/:(\w+)/g)].map(([, name]) => name);
      expect(Object.keys(operation?.path ?? {})).toEqual(names);
    });

    it('succeeds with 101 when it is a stream, otherwise with a 2XX', () => {
      const statuses = operation?.responses.map(({ status }) => status) ?? [];
      expect(
        statuses.every((status) => (endpoint.upgrade ? status === 101 : status >= 200 && status < 300)),
      ).toBe(true);
      expect(statuses.length).toBeGreaterThan(0);
    });

    it('has a valid example of each response', () => {
      const shown = operation?.responses.filter(({ schema }) => schema !== null) ?? [];
      expect(shown.map(({ status, example }) => checkResponse(key, status, example))).toEqual(
        shown.map(() => []),
      );
    });

    it('has a valid example of its body', () => expectValidBody(operation));

    it('accepts no null for a field of its body', () => expectNoNull(operation));
  });
});

describe.each(Object.entries(OUTSIDE_OPERATIONS))('%s', (key, operation) => {
  it('has a valid example of each response', () => {
    const violations = operation.responses.flatMap(({ status, example }) =>
      checkResponse(key, status, example),
    );
    expect(violations).toEqual([]);
  });

  it('has a valid example of its body', () => expectValidBody(operation));

  it('accepts no null for a field of its body', () => expectNoNull(operation));
});

function expectValidBody(operation: Operation | undefined): void {
  if (!operation?.body) expect(operation?.bodyExample).toBeUndefined();
  else {
    const body = plainToInstance(operation.body, operation.bodyExample);
    expect(validateSync(body, { whitelist: true, forbidNonWhitelisted: true })).toEqual([]);
  }
}

/** No request schema contains null. An optional field is absent instead (Optional of libs/contracts). */
function expectNoNull(operation: Operation | undefined): void {
  const { body, bodyExample } = operation ?? {};
  if (!body) return;
  const taken = Object.keys(requestSchema(body).properties).filter((name) => {
    const errors = validateSync(plainToInstance(body, { ...bodyExample, [name]: null }));
    return !errors.some(({ property }) => property === name);
  });
  expect(taken).toEqual([]);
}
