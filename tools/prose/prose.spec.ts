import { lintMarkdown } from './linter';
import { proseUnitsOf } from './prose-units';
import { sentencesOf, suspectsIn } from './sentence-rules';

describe('prose units', () => {
  it.each([
    ["const help = 'Time between a request and its response';", 1],
    ["const sql = 'SELECT id, name FROM alerts as each';", 0],
    ["const abi = 'function price() view returns (int256 answer)';", 0],
    ["const code = 'not a text';", 0],
  ])('include texts of four words and more: %s', (source, count) => {
    expect(proseUnitsOf('a.ts', source)).toHaveLength(count);
    expect(proseUnitsOf('a.spec.ts', source)).toEqual([]);
  });

  const SOURCE = `
// Two lines
// are one comment.
/** Seconds until the lease expires. */
const leaseSeconds = 10; // trailing
// eslint-disable-next-line no-console
describe('a lease', () => {
  it.each([1])('expires after %i seconds', () => {
    logger.warn({ lease }, 'the lease expired before the result');
    throw new Error(\`No lease for \${id}. Claim it again.\`);
  });
});
const url = 'https://example.test/a//b';
`;

  it('are comments, titles and messages, and no directives', () => {
    expect(proseUnitsOf('a.ts', SOURCE).map(({ kind, line, text }) => [kind, line, text])).toEqual([
      ['comment', 2, 'Two lines\nare one comment.'],
      ['comment', 4, 'Seconds until the lease expires.'],
      ['comment', 5, 'trailing'],
      ['title', 7, 'a lease'],
      ['title', 8, 'expires after %i seconds'],
      ['message', 9, 'the lease expired before the result'],
      ['message', 10, 'No lease for `…`. Claim it again.'],
    ]);
  });
});

describe('sentences', () => {
  it('end at a full stop, also before a lower-case name, and not after an abbreviation', () => {
    expect(sentencesOf('It reads a topic, e.g. position.v1. kafkajs reconnects. Done!')).toEqual([
      'It reads a topic, e.g. position.v1.',
      'kafkajs reconnects.',
      'Done!',
    ]);
  });

  it.each([
    ['What could not be read is told as such.', 2],
    ['Of what could not be read nobody knows that there is no risk.', 2],
    ['Who lets the last of a lease go takes its row along.', 2],
    ['The service answers with 404.', 1],
    [`The lease ${'is renewed and '.repeat(16)}expires.`, 1],
    ['The process that releases the last delivery of a lease also deletes the row of the lease.', 0],
    ['Without a key, the gateway responds with 401.', 0],
    ['What does a client do then?', 0],
  ])('%s', (sentence, suspects) => {
    expect(suspectsIn(sentence, 'apps/gateway/src/a.ts')).toHaveLength(suspects);
  });

  it('permits answers in the AI service', () => {
    expect(suspectsIn('The answer names its sources.', 'apps/ai/src/a.ts')).toEqual([]);
  });
});

describe('the linter', () => {
  it('reports the line of a paragraph, and ignores code and headings', async () => {
    const text = '# What it tells\n\n`answer` is a field.\n\n```\ntell\n```\n\nIt tells the client.\n';
    expect(await lintMarkdown(text, 'docs/a.md')).toEqual([
      {
        line: 9,
        message: '"tells": write state, report, notify or distinguish',
        sentence: 'It tells the client.',
      },
    ]);
  });
});
