// Two projects at one root: unit tests beside the code, and everything that needs real parts. A genuine-spec needs what
// the embedded Kafka and Redis do not have: TLS, SASL, access control.
const { genuineSuites } = require('./tools/genuine-suites.cjs');

const base = {
  rootDir: __dirname,
  testEnvironment: 'node',
  // commander has only ES modules.
  transform: { '\\.ts$|/node_modules/commander/.*\\.js$': '@swc/jest' },
  transformIgnorePatterns: ['/node_modules/(?!commander/)'],
  moduleNameMapper: {
    '^@plimsoll/([^/]+)$': '<rootDir>/libs/$1/src/index.ts',
    '^@plimsoll/sdk/verify$': '<rootDir>/libs/sdk/src/verify.ts',
    '^@plimsoll/protocols/math$': '<rootDir>/libs/protocols/src/math.ts',
  },
  // The package of the command line has the name of the repository's.
  modulePathIgnorePatterns: [
    '<rootDir>/dist',
    '<rootDir>/.local',
    '<rootDir>/.nx',
    '<rootDir>/apps/cli/package.json',
  ],
};

module.exports = {
  maxWorkers: 2,
  // The modules of test files stay in a worker. After hundreds of files it would exceed the heap of 4 GB.
  workerIdleMemoryLimit: '2GB',
  testSequencer: '<rootDir>/tools/jest-sequencer.cjs',
  // Tests wait for conditions, on a busy machine longer than jest's own five seconds. Jest ignores this setting in a
  // project and reads the whole run's.
  testTimeout: 60_000,
  projects: [
    { ...base, displayName: 'unit', testMatch: ['<rootDir>/{apps,libs,tools}/**/*.spec.ts'] },
    {
      ...base,
      displayName: 'parts',
      // Its tests need generators of other languages, which `npm run tool -- generated-clients` checks.
      testPathIgnorePatterns: [
        '/node_modules/',
        ...(process.env.GENERATED_CLIENTS ? [] : ['<rootDir>/test/generated-clients/']),
        // They need a Chromium. CI runs them as a step of their own.
        ...(process.env.PORTAL_TESTS === 'none' ? ['<rootDir>/test/portal/'] : []),
        // npm test -- --both runs them on genuine parts.
        ...(process.env.GENUINE_SUITES === 'apart'
          ? genuineSuites(__dirname).map((suite) => `<rootDir>/${suite}$`)
          : []),
      ],
      testMatch: [
        '<rootDir>/{apps,libs,tools,test}/**/*.e2e-spec.ts',
        ...(process.env.LOCAL_PARTS === 'genuine' ? ['<rootDir>/libs/**/*.genuine-spec.ts'] : []),
      ],
      globalSetup: '<rootDir>/libs/testing/src/jest-global-setup.ts',
      globalTeardown: '<rootDir>/libs/testing/src/jest-global-teardown.ts',
    },
  ],
};
