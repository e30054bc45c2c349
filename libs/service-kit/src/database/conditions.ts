/** A query with the values of its parameters. */
export interface Statement {
  text: string;
  values: unknown[];
}

/**
 * The conditions of a query with optional filters, and the values of its parameters. A filter that is not set has no
 * condition: with `$1 IS NULL OR column = $1`, a plan that Postgres keeps for a statement uses no index of the column.
 */
export class Conditions {
  readonly values: unknown[] = [];
  readonly #all: string[] = [];

  /** The conditions, joined with AND. */
  get sql(): string {
    return this.#all.join(' AND ');
  }

  /** Adds a value, and returns its parameter. */
  parameter(value: unknown): string {
    return `$${this.values.push(value)}`;
  }

  add(condition: string): void {
    this.#all.push(condition);
  }

  /** Adds a condition on a value, unless the filter is not set. */
  where(condition: (parameter: string) => string, value: unknown): void {
    if (value !== undefined && value !== null) this.add(condition(this.parameter(value)));
  }

  /** Adds the condition that an expression has a value, unless the filter is not set. */
  equal(expression: string, value: unknown): void {
    this.where((parameter) => `${expression} = ${parameter}`, value);
  }
}
