import { createHash } from 'node:crypto';
import { Client } from 'pg';

/** A connection keeps the plan of every named statement, so their number has a bound. */
const MOST_NAMES = 200;
/** A statement that ran this often is likely to run again. */
const RUNS_BEFORE_NAME = 3;

/** Names statements that repeat. The same text always has the same name. */
class StatementNames {
  private readonly names = new Map<string, string>();
  private readonly runs = new Map<string, number>();

  /** Counts a run. Returns undefined for a statement that has not repeated yet. */
  next(text: string): string | undefined {
    const known = this.names.get(text);
    if (known !== undefined || this.names.size === MOST_NAMES) return known;
    const runs = (this.runs.get(text) ?? 0) + 1;
    if (runs > RUNS_BEFORE_NAME) return this.add(text);
    // Texts that are built for a single run must not collect here.
    if (this.runs.size === MOST_NAMES) this.runs.clear();
    this.runs.set(text, runs);
    return undefined;
  }

  private add(text: string): string {
    const name = createHash('sha256').update(text).digest('base64url').slice(0, 20);
    this.runs.delete(text);
    this.names.set(text, name);
    return name;
  }
}

const NAMES = new StatementNames();

/**
 * A connection that names statements that repeat, so that the server parses and plans them once. Planning
 * takes longer than the execution of most statements of the services. A statement without values can be a
 * list of statements, so it gets no name. A statement in an object keeps its own name. Without one, it is planned with the
 * values of each run. A list needs that when the same filter matches few rows or most of them: the plan that Postgres keeps
 * for a name is for values of mean frequency.
 */
export class NamingClient extends Client {
  constructor(...options: ConstructorParameters<typeof Client>) {
    super(...options);
    const query = this.query.bind(this) as (...given: unknown[]) => unknown;
    const naming = (statement: unknown, values: unknown, ...rest: unknown[]): unknown => {
      if (typeof statement !== 'string' || !Array.isArray(values) || values.length === 0)
        return query(statement, values, ...rest);
      const name = NAMES.next(statement);
      return query(name === undefined ? statement : { name, text: statement }, values, ...rest);
    };
    this.query = naming as Client['query'];
  }
}
