/** A node of EXPLAIN (ANALYZE, FORMAT JSON). */
export interface QueryPlan {
  'Node Type': string;
  'Relation Name'?: string;
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  Plans?: QueryPlan[];
}

/** Returns a node and every node below it. */
export const planNodes = (plan: QueryPlan): QueryPlan[] => [plan, ...(plan.Plans ?? []).flatMap(planNodes)];

/** Returns the rows that a node read in all its loops, also those that its filter removed. */
export const rowsRead = ({
  'Actual Rows': rows,
  'Actual Loops': loops,
  'Rows Removed by Filter': removed = 0,
}: QueryPlan): number => (rows + removed) * loops;
