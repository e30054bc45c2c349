import type { Static, TObject } from '@sinclair/typebox';
import { TypeCompiler } from '@sinclair/typebox/compiler';

const DAY_MS = 86_400_000;

/** A Kafka topic: its schema, its key and its retention. */
export interface EventDefinition<T> {
  /** `<name>.v<n>`. A new version is a new topic beside the old one. */
  topic: string;
  /** JSON Schema of the value. */
  schema: TObject;
  /** True: the topic keeps the latest full state of each key, and a tombstone deletes it. False: a log. */
  compacted: boolean;
  partitions: number;
  /** Retention of a log in milliseconds. Compacted topics have no limit. */
  retentionMs: number;
  /** Returns the key. Events of one key stay in order. There is no order between keys. */
  keyOf(value: T): string;
  check(value: unknown): value is T;
  /**
   * Returns the first violation with its JSON path, for dead letters and errors, or an empty string for a
   * valid value.
   */
  explain(value: unknown): string;
}

/** Compiles the schema once. `check` then costs well under a microsecond per message. */
export function defineEvent<S extends TObject>(definition: {
  topic: string;
  schema: S;
  compacted: boolean;
  partitions?: number;
  retentionMs?: number;
  keyOf(value: Static<S>): string;
}): EventDefinition<Static<S>> {
  const compiled = TypeCompiler.Compile(definition.schema);
  return {
    partitions: 6,
    retentionMs: 7 * DAY_MS,
    ...definition,
    check: (value): value is Static<S> => compiled.Check(value),
    explain: (value) => {
      const first = compiled.Errors(value).First();
      return first ? `${first.path || '/'}: ${first.message}` : '';
    },
  };
}
