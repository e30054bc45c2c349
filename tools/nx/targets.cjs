// A plugin of Nx: gives every project the cached targets lint, typecheck and test. nx.json names it.
const path = require('node:path');

const CHECKERS = [
  '{workspaceRoot}/package-lock.json',
  '{workspaceRoot}/tsconfig.base.json',
  '{workspaceRoot}/tools/nx/*.cjs',
];
/** Their specs read sources and documents of the whole repository. */
const READERS = new Set(
  ['architecture-picture', 'coverage', 'deploy', 'prose', 'vectors'].map((name) => `tools/${name}`),
);
const REPOSITORY = [
  ...['apps', 'libs', 'tools', 'docs', 'contracts', 'deploy', 'bench', 'test'].map(
    (folder) => `{workspaceRoot}/${folder}/**/*`,
  ),
  '{workspaceRoot}/docker-compose.yml',
];

const cached = (command, inputs) => ({
  executor: 'nx:run-commands',
  cache: true,
  inputs: ['default', '^sources', ...CHECKERS, ...inputs],
  outputs: [],
  options: { command },
});

/** @param {string} root folder of the project, for example `apps/alerts` */
function targetsOf(root) {
  return {
    lint: cached(`oxlint --deny-warnings ${root} && eslint ${root} --no-error-on-unmatched-pattern`, [
      '{workspaceRoot}/.oxlintrc.json',
      '{workspaceRoot}/eslint.config.mjs',
      '{workspaceRoot}/tsconfig.json',
    ]),
    typecheck: {
      ...cached(`node tools/nx/typecheck.cjs ${root}`, []),
      dependsOn: ['generate', '^generate'],
    },
    test: {
      ...cached(
        `jest -c jest.config.cjs --selectProjects=unit --passWithNoTests --testPathPatterns ${root}/`,
        [
          '{workspaceRoot}/jest.config.cjs',
          '{workspaceRoot}/.swcrc',
          '{workspaceRoot}/tools/*.cjs',
          ...(READERS.has(root) ? REPOSITORY : []),
        ],
      ),
      dependsOn: ['generate', '^generate'],
    },
  };
}

module.exports = {
  name: 'plimsoll-targets',
  createNodesV2: [
    '{apps,libs,tools}/*/project.json',
    (files) =>
      files.map((file) => {
        const root = path.dirname(file);
        return [file, { projects: { [root]: { targets: targetsOf(root) } } }];
      }),
  ],
};
