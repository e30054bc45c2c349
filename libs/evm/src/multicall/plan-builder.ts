import { ChainReadError } from '../rpc/chain-read-error';
import type { Outcome, ReadCall, ReadPlan } from './read-call';

/** The index of one call in a plan, with the type of its result. */
export interface Slot<T> {
  readonly index: number;
  readonly call: ReadCall<T>;
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
    return { index: this.calls.length - 1, call };
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
