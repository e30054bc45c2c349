/** A part that a check may use, kill and start again. */
export interface StartedPart {
  /** The address for clients. */
  readonly address: string;
  /** Ends it as a crash would and starts it again on the same port with the same data. */
  crash(): Promise<void>;
  stop(): Promise<void>;
}

/** The context of a check. */
export interface CheckContext {
  readonly address: string;
  /** A name that no other check uses. */
  name(label: string): string;
  /** Adds a cleanup that runs after the check, passed or failed, in reverse order. */
  defer(cleanUp: () => unknown): void;
  /** Ends the part as a crash would and starts it again. Other checks do not run meanwhile. */
  crash(): Promise<void>;
}

/** One behaviour of a part that our code can observe. */
export interface Check {
  readonly name: string;
  /**
   * Resolves with the observations, as JSON. They must be the same for both parts. Throws when the part lacks
   * the tested function.
   */
  run(context: CheckContext): Promise<unknown>;
}

/** The checks of one part, and how to start its two forms in a folder. */
export interface Suite {
  readonly part: string;
  readonly checks: readonly Check[];
  startEmbedded(folder: string): Promise<StartedPart>;
  startGenuine(folder: string): Promise<StartedPart>;
}

/** Throws unless the condition holds. */
export function ensure(condition: boolean, message: string): asserts condition {
  if (!condition) throw new Error(message);
}
