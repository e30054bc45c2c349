import { spawn } from 'node:child_process';
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { findFreePort, workspaceRoot } from '@plimsoll/local-parts';
import { waitFor } from '@plimsoll/testing';
import { parse } from 'yaml';
import { imageVariables } from '../../tools/deploy/environment';
import { IDENTITY_FOLDER, SECRETS_FOLDER } from '../../tools/deploy/services';

interface ComposeService {
  profiles: string[];
  command?: string[];
  environment?: Record<string, string>;
  secrets?: { source: string; target: string }[];
  healthcheck?: { test?: string[] };
  depends_on?: Record<string, { condition: string }>;
  build?: { target: string };
}

/** The addresses of the components on this machine, in place of those of the Compose file. */
export interface ComposeParts {
  /** Host and port of Postgres. */
  postgres: string;
  redisUrl: string;
  kafkaBrokers: string;
  /** The files of secrets, as `npm run tool -- deploy:secrets` wrote them. */
  secrets: string;
  /** For the rest: files of the containers. */
  folder: string;
  /** Variables of every service beside those of the Compose file. */
  extra: Readonly<Record<string, string>>;
}

const START_MS = 90_000;
const COMMAND_MS = 60_000;
/** Each check starts a process. */
const HEALTH_MS = 1_000;
const MOST_OUTPUT = 4_000;

/** Services of docker-compose.yml as processes on this machine, in the order of the file's conditions. */
export class ComposeProcesses {
  /** The containers that have started, in this order. */
  readonly started: string[] = [];
  private readonly stops: (() => Promise<void>)[] = [];
  private readonly ports = new Map<string, { http: number; operations: number }>();
  private readonly services: Readonly<Record<string, ComposeService>>;

  private constructor(private readonly parts: ComposeParts) {
    const text = readFileSync(path.join(workspaceRoot(), 'docker-compose.yml'), 'utf8');
    const { services } = parse(text) as { services: Record<string, ComposeService> };
    const isOurs = ([, { build, profiles }]: [string, ComposeService]): boolean =>
      profiles.includes('platform') && build !== undefined;
    this.services = Object.fromEntries(
      Object.entries(services).filter((entry) => isOurs(entry) && entry[0] !== 'sandbox-folder'),
    );
  }

  /** Runs the migrations and starts all services. */
  static async start(parts: ComposeParts): Promise<ComposeProcesses> {
    const processes = new ComposeProcesses(parts);
    for (const name of Object.keys(processes.services))
      processes.ports.set(name, { http: await findFreePort(), operations: await findFreePort() });
    const begun = new Map<string, Promise<void>>();
    const begin = (name: string): Promise<void> => {
      const found = begun.get(name) ?? processes.startAfterOthers(name, begin);
      begun.set(name, found);
      return found;
    };
    const results = await Promise.allSettled(Object.keys(processes.services).map(begin));
    const failed = results.find((each) => each.status === 'rejected');
    if (!failed) return processes;
    await processes.stop();
    throw failed.reason;
  }

  /** The origin of a service on this machine. */
  originOf(name: string): string {
    return `http://127.0.0.1:${this.ports.get(name)!.http}`;
  }

  /** The content of a file that a service mounts. */
  secretOf(name: string, file: string): string {
    return readFileSync(path.join(this.containerFolder(name), 'secrets', file), 'utf8').trim();
  }

  /** Runs a command in the container of a service, as `docker compose exec`, and returns its output. */
  exec(name: string, command: readonly string[]): Promise<string> {
    return this.run(name, command);
  }

  async stop(): Promise<void> {
    await Promise.all(this.stops.map((stop) => stop()));
  }

  private async startAfterOthers(name: string, begin: (name: string) => Promise<void>): Promise<void> {
    const needed = Object.keys(this.services[name]!.depends_on ?? {});
    await Promise.all(needed.filter((each) => each in this.services).map(begin));
    this.mountSecrets(name);
    const { command, healthcheck } = this.services[name]!;
    // A service that only runs once has a command of its own.
    if (command) await this.run(name, command);
    else await this.startService(name, healthcheck!.test!.slice(1));
    this.started.push(name);
  }

  private mountSecrets(name: string): void {
    const folder = this.containerFolder(name);
    for (const { source, target } of this.services[name]!.secrets ?? []) {
      const to = this.onThisMachine(name, target);
      mkdirSync(path.dirname(to), { recursive: true, mode: 0o700 });
      const from = path.join(this.parts.secrets, fileOf(source));
      copyFileSync(from, to);
      if (target.endsWith('/database-url')) replaceIn(to, '@postgres:5432/', `@${this.parts.postgres}/`);
    }
    mkdirSync(folder, { recursive: true });
  }

  private async startService(name: string, health: readonly string[]): Promise<void> {
    const child = spawn(process.execPath, [this.programOf(name)], {
      cwd: workspaceRoot(),
      env: this.environmentOf(name),
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk) => (output += String(chunk)));
    const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
    this.stops.push(async () => {
      child.kill('SIGTERM');
      await ended;
    });
    const isHealthy = (): Promise<boolean> =>
      this.run(name, health).then(
        () => true,
        () => false,
      );
    const options = { timeoutMs: START_MS, intervalMs: HEALTH_MS, message: `${name} is healthy` };
    await waitFor(async () => child.exitCode !== null || (await isHealthy()), options).catch(
      (error: Error) => {
        throw new Error(`${error.message}: ${output.slice(-MOST_OUTPUT)}`, { cause: error });
      },
    );
    if (child.exitCode !== null)
      throw new Error(`${name} ended with ${child.exitCode}: ${output.slice(-MOST_OUTPUT)}`);
  }

  private run(name: string, [program, ...words]: readonly string[]): Promise<string> {
    if (program !== 'node') throw new Error(`${program} is no program of the image`);
    const ports = this.ports.get(name)!;
    const own = words.map((word) =>
      word
        .replace(/^app\/(\w+)\.js$/, (_, bundle: string) => this.programOf(name, bundle))
        .replace('127.0.0.1:9090', `127.0.0.1:${ports.operations}`),
    );
    const child = spawn(process.execPath, own, {
      cwd: workspaceRoot(),
      env: this.environmentOf(name),
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: COMMAND_MS,
    });
    let output = '';
    let errors = '';
    child.stdout.on('data', (chunk) => (output += String(chunk)));
    child.stderr.on('data', (chunk) => (errors += String(chunk)));
    return new Promise((resolve, reject) => {
      child.once('error', reject);
      child.once('exit', (code) =>
        code === 0
          ? resolve(output)
          : reject(new Error(`${name}: ${own.join(' ')} ended with ${code}: ${errors}`)),
      );
    });
  }

  /** The image of migrations is that of their service. */
  private programOf(name: string, bundle = 'main'): string {
    const { target } = this.services[name]!.build!;
    return path.join(workspaceRoot(), 'dist/apps', target, `${bundle}.js`);
  }

  private environmentOf(name: string): NodeJS.ProcessEnv {
    const { http, operations } = this.ports.get(name)!;
    const own = Object.entries(this.services[name]!.environment ?? {}).map(([variable, value]) => [
      variable,
      this.onThisMachine(name, resolved(value)),
    ]);
    return {
      PATH: process.env['PATH'],
      ...imageVariables(),
      HOST: '127.0.0.1',
      PORT: String(http),
      OPERATIONS_PORT: String(operations),
      ...(Object.fromEntries(own) as Record<string, string>),
      ...this.parts.extra,
    };
  }

  /** Replaces the names of the network of Compose, and folders of the container. */
  private onThisMachine(name: string, text: string): string {
    const folder = this.containerFolder(name);
    const { redisUrl, kafkaBrokers } = this.parts;
    return text
      .replace(SECRETS_FOLDER, path.join(folder, 'secrets'))
      .replace(IDENTITY_FOLDER, path.join(folder, 'identity'))
      .replace('/var/lib/plimsoll', path.join(folder, 'data'))
      .replace('/plimsoll/services', path.join(workspaceRoot(), 'dist/apps'))
      .replace('redis://redis:6379', redisUrl)
      .replace('kafka:19092', kafkaBrokers)
      .replace('http://127.0.0.1:4000', this.originOf('gateway'))
      .replace(/^http:\/\/([\w-]+):8080$/, (all, service: string) =>
        service in this.services ? this.originOf(service) : all,
      );
  }

  private containerFolder(name: string): string {
    return path.join(this.parts.folder, name);
  }
}

/** The file of a secret of the Compose file. */
function fileOf(source: string): string {
  const [, service] = /^identity-(.+)$/.exec(source) ?? [];
  if (service === undefined) return source;
  return path.join('identity', service === 'public' ? 'public.json' : `${service}.private.json`);
}

const resolved = (text: string): string => text.replace(/\$\{\w+:-([^}]*)\}/g, '$1');

function replaceIn(file: string, from: string, to: string): void {
  const text = readFileSync(file, 'utf8');
  if (!text.includes(from)) throw new Error(`${file} has no ${from}`);
  writeFileSync(file, text.replace(from, to));
}
