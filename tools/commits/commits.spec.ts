import { spawnSync } from 'node:child_process';
import path from 'node:path';

const script = `
  import { problemsOf } from ${JSON.stringify(path.join(__dirname, 'message.mjs'))};
  const problems = [];
  for (const message of JSON.parse(process.argv[1])) problems.push(await problemsOf(message));
  console.log(JSON.stringify(problems));`;

/** The check is an ES module, because commitlint is one. Jest runs CommonJS. */
function problemsOf(...messages: string[]): string[][] {
  const { stdout, stderr, status } = spawnSync(
    process.execPath,
    ['--input-type=module', '-e', script, JSON.stringify(messages)],
    { encoding: 'utf8' },
  );
  if (status !== 0) throw new Error(stderr);
  return JSON.parse(stdout) as string[][];
}

const BODY = '\n\nThe node closes idle connections after a minute.';

describe('the check of commit messages', () => {
  it('accepts a conventional subject with a body, and a merge without one', () => {
    expect(
      problemsOf(
        `fix(chain): send a heartbeat on idle connections${BODY}`,
        `docs(whales, execution): seed the market and speed up the start${BODY}`,
        `feat!: remove the earlier header${BODY}`,
        'merge: plain words in keystore and risk-position',
      ),
    ).toEqual([[], [], [], []]);
  });

  it.each([
    ['an unknown type', `feature(chain): send a heartbeat${BODY}`, /type/],
    ['no type', `send a heartbeat${BODY}`, /type|subject/],
    ['the past tense', `fix(chain): added a heartbeat${BODY}`, /imperative, not "added"/],
    ['the third person', `fix(chain): adds a heartbeat${BODY}`, /imperative, not "adds"/],
    ['the gerund', `fix(chain): sending a heartbeat${BODY}`, /imperative, not "sending"/],
    ['a full stop', `fix(chain): send a heartbeat.${BODY}`, /full stop/],
    ['no body', 'fix(chain): send a heartbeat', /says why/],
    ['a subject of 73 characters', `fix(chain): send ${'y'.repeat(56)}${BODY}`, /72/],
  ])('rejects a message with %s', (_name, message, expected) => {
    expect(problemsOf(message)[0]?.join('\n')).toMatch(expected);
  });
});
