import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { SERVICES, type Service, createKeys } from '@plimsoll/access';
import { loadConfig } from '@plimsoll/service-kit';
import { IDENTITY_FOLDER, SECRETS_FOLDER } from './services';

const ROOT = path.join(__dirname, '../..');

type ConfigClass = (new () => object) & { service?: string };

/** @throws Error when the app has no configuration class */
export function configClassOf(service: Service): ConfigClass {
  const classes = require(path.join(ROOT, 'apps', service, 'src/config.ts')) as Record<string, ConfigClass>;
  const found = Object.values(classes).find((each) => each.service === service);
  if (!found) throw new Error(`apps/${service}/src/config.ts has no class of ${service}`);
  return found;
}

/** Returns the names of the variables of a service. */
export const fieldsOf = (service: Service): Set<string> =>
  new Set(Object.keys(new (configClassOf(service))()));

/** Returns the variables that the image sets. */
export function imageVariables(): Record<string, string> {
  const text = readFileSync(path.join(ROOT, 'deploy/Dockerfile'), 'utf8');
  const found = text.matchAll(/\b(HOST|PORT|OPERATIONS_PORT|MIGRATE_AT_START)=(\S+)/g);
  return Object.fromEntries([...found].map(([, name, value]) => [name, value]));
}

const KEY = Buffer.alloc(32, 1).toString('base64');
/** A valid value of each secret, by the name of its file. */
const SECRETS: Readonly<Record<string, string>> = {
  'database-url': 'postgresql://plimsoll@postgres/plimsoll',
  'redis-url': 'rediss://user:password@redis:6379',
  'rpc-url-1': 'https://node.example/key',
  'webhook-secret-keys': `first:${KEY}`,
  'receipt-secret-keys': `first:${KEY}`,
  'sandbox-secret': KEY,
};

/** Writes files with valid values of all secrets and identity keys, for `environmentFindings`. */
export function writeSampleSecrets(folder: string): void {
  mkdirSync(folder, { recursive: true });
  for (const [name, value] of Object.entries(SECRETS)) writeFileSync(path.join(folder, name), `${value}\n`);
  createKeys(path.join(folder, 'identity'), SERVICES, Date.now());
}

/**
 * Gives the environment of a container to the configuration class of its service.
 * @param container its variables, beside those of the image
 * @param secrets the folder of `writeSampleSecrets`, in place of the folders of secrets in the container
 * @returns the variables that the service does not have, and those that it does not accept
 */
export function environmentFindings(
  service: Service,
  container: Readonly<Record<string, string>>,
  secrets: string,
): string[] {
  const fields = fieldsOf(service);
  const isKnown = (variable: string): boolean => {
    const name = variable.replace(/_FILE$/, '');
    return fields.has(variable) || fields.has(name) || (fields.has('RPC_URL') && /^RPC_URL_\d+$/.test(name));
  };
  const unknown = Object.keys(container).filter((variable) => !isKnown(variable));
  const own = Object.entries(container).map(([variable, value]) => [
    variable,
    value.replace(SECRETS_FOLDER, secrets).replace(IDENTITY_FOLDER, path.join(secrets, 'identity')),
  ]);
  const environment = { ...imageVariables(), ...(Object.fromEntries(own) as Record<string, string>) };
  return [
    ...unknown.map((variable) => `${service} has no variable ${variable}`),
    ...rejected(service, environment),
  ];
}

function rejected(service: Service, environment: NodeJS.ProcessEnv): string[] {
  const saved = process.env;
  // The chains are read from the environment of the process.
  process.env = environment;
  try {
    loadConfig(configClassOf(service), environment);
    return [];
  } catch (error) {
    return [`${service}: ${(error as Error).message}`];
  } finally {
    process.env = saved;
  }
}
