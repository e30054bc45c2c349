import type { Abi, ContractFunctionName, ContractFunctionReturnType } from 'viem';
import { subjectOf, type MarketRow } from '../registry/registry';
import { ChainReadError } from '../rpc/chain-read-error';
import type { Multicall } from './multicall';
import type { BlockRef } from './pinned-call';
import { readCall, type Outcome, type ReadCall, type ReadPlan } from './read-call';

/** The index of one call in a plan, with the type of its result. */
export class Slot<T> {
  constructor(
    readonly index: number,
    readonly call: ReadCall<T>,
  ) {}
}

/** Reads the results of a plan's slots. */
export interface CallResults {
  /** The value of a call that must succeed. @throws ChainReadError call_failed */
  value<T>(slot: Slot<T>): T;
  /** The outcome of a call that may fail. */
  outcome<T>(slot: Slot<T>): Outcome<T>;
}

/** Collects calls and returns their results by slot, so that callers do not count indices. */
export class PlanBuilder {
  private readonly calls: ReadCall<unknown>[] = [];

  constructor(
    private readonly chainId: number,
    /** The subject of the read, for the error: "reserves of aave-v3 AaveV3Ethereum". */
    private readonly subject: string,
  ) {}

  add<T>(call: ReadCall<T>): Slot<T> {
    this.calls.push(call);
    return new Slot(this.calls.length - 1, call);
  }

  /** Adds a call of a view function. */
  call<const A extends Abi, N extends ContractFunctionName<A, 'view' | 'pure'>>(
    ...call: Parameters<typeof readCall<A, N>>
  ): Slot<ContractFunctionReturnType<A, 'view' | 'pure', N>> {
    return this.add(readCall(...call));
  }

  /** Adds a call that may fail. */
  attempt<const A extends Abi, N extends ContractFunctionName<A, 'view' | 'pure'>>(
    ...call: Parameters<typeof readCall<A, N>>
  ): (results: CallResults) => Outcome<ContractFunctionReturnType<A, 'view' | 'pure', N>> {
    const slot = this.call(...call);
    return ({ outcome }) => outcome(slot);
  }

  build<T>(assemble: (results: CallResults) => T): ReadPlan<T> {
    const { chainId, subject } = this;
    return {
      calls: this.calls,
      assemble: (outcomes) => {
        // The slot's type is that of the call whose decoder made this outcome.
        const outcome = <V>(slot: Slot<V>): Outcome<V> => outcomes[slot.index] as Outcome<V>;
        const value = <V>(slot: Slot<V>): V => {
          const found = outcome(slot);
          if (found.ok) return found.value;
          const message = `${subject} on chain ${chainId}: a call of ${slot.call.target} ${found.reason}`;
          throw new ChainReadError('call_failed', chainId, `${message}; check the registry's addresses`);
        };
        return assemble({ value, outcome });
      },
    };
  }
}

/** A plan for a row of the registry. @param what the subject of the read, for the error */
export function planOf(row: MarketRow, what: string): PlanBuilder {
  return new PlanBuilder(row.chainId, subjectOf(row, what));
}

/** Objects and lists of slots, with the value of its call for each slot. Other values stay as they are. */
export type Values<S> =
  S extends Slot<infer T>
    ? T
    : S extends (results: CallResults) => infer T
      ? T
      : S extends object
        ? { [K in keyof S]: Values<S[K]> }
        : S;

/**
 * Reads values of a row in one multicall, in the shape in which their calls are added.
 * @param what the subject of the read, for the error
 * @throws ChainReadError
 */
export function readAll<const S>(
  { row, multicall }: { row: MarketRow; multicall: Pick<Multicall, 'read'> },
  what: string,
  block: BlockRef,
  add: (plan: PlanBuilder) => S,
): Promise<Values<S>> {
  const plan = planOf(row, what);
  const shape = add(plan);
  return multicall.read(
    plan.build((results) => resolved(shape, results) as Values<S>),
    block,
  );
}

function resolved(shape: unknown, results: CallResults): unknown {
  if (shape instanceof Slot) return results.value(shape);
  if (typeof shape === 'function') return (shape as (results: CallResults) => unknown)(results);
  if (Array.isArray(shape)) return shape.map((each) => resolved(each, results));
  if (typeof shape !== 'object' || shape === null) return shape;
  return Object.fromEntries(Object.entries(shape).map(([name, each]) => [name, resolved(each, results)]));
}
