import { columns, insertSql, replacing, runBulk, selectSql, updateSql } from './bulk-rows';

interface Row {
  id: string;
  sequence: number;
  seenAtMs: number | null;
  legs: string[] | null;
}

const ROW = columns<Row>(
  { text: ['id'], bigint: ['sequence'], time: ['seenAtMs'], jsonb: ['legs'] },
  { leg_count: ['int', ({ legs }) => legs?.length] },
);
const rows: Row[] = [
  { id: 'a', sequence: 2, seenAtMs: 1_000, legs: ['"x"'] },
  { id: 'b', sequence: 3, seenAtMs: null, legs: null },
];
const squeezed = (sql: string): string => sql.replaceAll(/\s+/g, ' ').trim();
const GIVEN = `unnest($1::text[], $2::bigint[], $3::float8[], string_to_array($4, E'\\n', '')::jsonb[], $5::int[])
  WITH ORDINALITY AS given (id, sequence, seen_at, legs, leg_count, place)`;

describe('bulk rows', () => {
  it('inserts and replaces rows in the order of their key', () => {
    const options = replacing(ROW, ['id'], { fixed: ['legs'], where: 'known.sequence < excluded.sequence' });
    expect(squeezed(insertSql('things', ROW, options))).toBe(
      squeezed(`INSERT INTO things AS known (id, sequence, seen_at, legs, leg_count)
        SELECT given.id, given.sequence, to_timestamp(given.seen_at / 1000), given.legs, given.leg_count FROM ${GIVEN}
        ORDER BY given.id ON CONFLICT (id) DO UPDATE SET sequence = excluded.sequence, seen_at = excluded.seen_at,
        leg_count = excluded.leg_count WHERE known.sequence < excluded.sequence`),
    );
  });

  it('updates the rows with the same key', () => {
    expect(squeezed(updateSql('things', columns<Row>({ text: ['id'], bigint: ['sequence'] }), ['id']))).toBe(
      squeezed(`UPDATE things SET sequence = given.sequence FROM unnest($1::text[], $2::bigint[])
        WITH ORDINALITY AS given (id, sequence, place) WHERE things.id = given.id AND true`),
    );
    const kept = updateSql('things', columns<Row>({ text: ['id'], bigint: ['sequence'] }), ['id'], {
      where: 'things.sequence > 1',
      keptIfNull: ['sequence'],
    });
    expect(kept).toContain('SET sequence = coalesce(given.sequence, things.sequence)');
    expect(kept).toMatch(/AND things\.sequence > 1$/);
  });

  it('selects stored properties and no computed ones', () => {
    expect(selectSql(ROW, 't.')).toBe(
      't.id AS "id", t.sequence::float8 AS "sequence", (extract(epoch FROM t.seen_at) * 1000)::float8 AS "seenAtMs", t.legs AS "legs"',
    );
  });

  it('runs one statement with one parameter for each column, and none without rows', async () => {
    const statements: unknown[] = [];
    const tx = {
      query: (sql: unknown, values?: unknown[]) => {
        statements.push([sql, values]);
        return Promise.resolve({ rows: [], rowCount: 0 });
      },
    };
    await runBulk(tx, 'SQL', ROW, []);
    await runBulk(tx, 'SQL', ROW, rows);
    expect(statements).toEqual([
      ['SQL', [['a', 'b'], [2, 3], [1_000, null], `["\\"x\\""]\n`, [1, undefined]]],
    ]);
  });
});
