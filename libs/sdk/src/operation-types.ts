import type { operations } from './generated/openapi';
import type { OPERATIONS } from './generated/operations';
import type { List, Page } from './list';
import type { CallOptions } from './transport';

/** The operationId of an endpoint that the SDK covers. */
export type OperationId = keyof typeof OPERATIONS & keyof operations;

type Operation<Id extends OperationId> = operations[Id];
type Given<T> = [NonNullable<T>] extends [never] ? object : NonNullable<T>;

type PathOf<Id extends OperationId> =
  Operation<Id> extends { parameters: { path: infer P } } ? Given<P> : object;
type QueryOf<Id extends OperationId> =
  Operation<Id> extends { parameters: { query?: infer Q } } ? Given<Q> : object;
type BodyOf<Id extends OperationId> =
  Operation<Id> extends { requestBody?: infer R }
    ? [NonNullable<R>] extends [never]
      ? object
      : NonNullable<R> extends { content: { 'application/json': infer B } }
        ? B
        : object
    : object;

/** Parameters of the path and the query, and the fields of the body, in one object. */
export type Input<Id extends OperationId> = PathOf<Id> & QueryOf<Id> & BodyOf<Id>;

type Success<R> = R extends { 200: infer A }
  ? A
  : R extends { 201: infer A }
    ? A
    : R extends { 202: infer A }
      ? A
      : never;
/** The response of an operation. */
export type Output<Id extends OperationId> =
  Success<Operation<Id>['responses']> extends { content: { 'application/json': infer T } } ? T : undefined;

type ListKey<Id extends OperationId> = (typeof OPERATIONS)[Id][3];
type ItemOf<Id extends OperationId> =
  ListKey<Id> extends keyof Output<Id>
    ? NonNullable<Output<Id>[ListKey<Id>]> extends readonly (infer T)[]
      ? T
      : never
    : never;

type Returned<Id extends OperationId> =
  ListKey<Id> extends string ? List<Output<Id> & Page, ItemOf<Id>> : Promise<Output<Id>>;

/** A method of the client. The input may be left out when nothing in it is required. */
export type Method<Id extends OperationId> =
  object extends Input<Id>
    ? (input?: Input<Id>, options?: CallOptions) => Returned<Id>
    : (input: Input<Id>, options?: CallOptions) => Returned<Id>;
