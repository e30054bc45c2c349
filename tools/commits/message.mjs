import lint from '@commitlint/lint';
import createPreset from 'conventional-changelog-conventionalcommits';
import conventional from '@commitlint/config-conventional';

const ERROR = 2;
const LONGEST_SUBJECT = 72;
/** "merge" is the type of a merge commit with its own message. */
const TYPES = ['feat', 'fix', 'perf', 'refactor', 'docs', 'test', 'build', 'ci', 'chore', 'revert', 'merge'];
/** "adds", "added" and "adding" are not imperatives. The exceptions are imperatives with the same endings. */
const NOT_IMPERATIVE =
  /^(?!(?:need|feed|speed|seed|embed|shed|bring|string|pass|address|process|access|compress|express|guess|focus|canvas|discuss)\b)[a-z]+(?:ed|ing|(?<![su'])s)$/i;

const plugin = {
  rules: {
    'subject-imperative': ({ subject }) => {
      const verb = subject?.split(/[\s,:]/, 1)[0] ?? '';
      return [!NOT_IMPERATIVE.test(verb), `begin the subject with an imperative, not "${verb}"`];
    },
    'body-says-why': ({ type, body, footer }) => [
      type === 'merge' || Boolean(body ?? footer),
      'add a body that says why',
    ],
  },
};

const RULES = {
  ...conventional.rules,
  'type-enum': [ERROR, 'always', TYPES],
  'header-max-length': [ERROR, 'always', LONGEST_SUBJECT],
  // Names of classes and products begin with a capital.
  'subject-case': [0],
  'subject-imperative': [ERROR, 'always'],
  'body-says-why': [ERROR, 'always'],
};

/** Git writes these subjects itself. */
export const isMergeOfGit = (message) => /^(Merge (branch|remote|tag|pull request)|Revert ")/.test(message);

/** Returns one sentence for each rule that a commit message breaks. */
export async function problemsOf(message) {
  const { parser } = await createPreset();
  const { errors, warnings } = await lint(message, RULES, { plugins: { own: plugin }, parserOpts: parser });
  return [...errors, ...warnings].map(({ message: text }) => text);
}
