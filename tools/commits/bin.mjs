#!/usr/bin/env node
// npm run tool -- commits: checks commit messages with commitlint.
import { execFileSync } from 'node:child_process';
import { parseArgs } from 'node:util';
import { isMergeOfGit, problemsOf } from './message.mjs';

const HELP = `usage: npm run tool -- commits [--from COMMIT] [--json]

Checks the messages of the commits after COMMIT, up to HEAD: type(scope): imperative, at most 72 characters, and a body
that says why. Without --from it checks every commit since this check was added.`;

const git = (...words) => execFileSync('git', words, { encoding: 'utf8', maxBuffer: 1e8 });

/** Earlier commits follow other conventions. A shallow clone has no earlier commit than its first. */
function firstChecked() {
  return git('log', '--diff-filter=A', '--format=%H', '--', 'tools/commits/message.mjs')
    .trim()
    .split('\n')
    .at(-1);
}

const { values } = parseArgs({
  options: { from: { type: 'string' }, json: { type: 'boolean' }, help: { type: 'boolean' } },
});
if (values.help) console.log(HELP);
else {
  const from = values.from ?? firstChecked();
  if (!from) {
    console.error('This clone does not contain the commit that added the check. Name one: --from COMMIT');
    process.exit(2);
  }
  const commits = git('log', '--format=%H%x00%B%x01', `${from}..HEAD`)
    .split('\x01')
    .map((entry) => entry.trim().split('\x00'))
    .filter(([hash, message]) => hash && !isMergeOfGit(message));
  const found = [];
  for (const [hash, message] of commits)
    for (const problem of await problemsOf(message))
      found.push({ commit: hash.slice(0, 10), subject: message.split('\n', 1)[0], problem });
  if (values.json) console.log(JSON.stringify(found, null, 2));
  else for (const { commit, subject, problem } of found) console.log(`${commit} ${subject}\n    ${problem}`);
  console.error(
    found.length === 0
      ? `${commits.length} commit messages follow the conventions`
      : `${found.length} problems in ${commits.length} commit messages. Amend or rebase those commits: CONTRIBUTING.md says how to write them.`,
  );
  if (found.length > 0) process.exitCode = 1;
}
