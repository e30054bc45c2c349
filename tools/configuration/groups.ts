import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { validateSync } from 'class-validator';
import { allowedValues } from './allowed-values';
import { type DeclaredClass, type DeclaredVariable, declaredClasses } from './comments';

/** The variables that one class adds to those of its parent. */
export interface Group {
  /** Name of the class. */
  name: string;
  parent: string | undefined;
  /** The service whose configuration this is. Undefined: a class of service-kit that services extend. */
  service: string | undefined;
  variables: Variable[];
}

export interface Variable {
  name: string;
  /** Undefined: the source has no comment. */
  meaning: string | undefined;
  /** Empty: any text. */
  allowed: string;
  /** As the source writes it, or `required`. */
  fallback: string;
}

type ConfigClass = new () => object;
type ServiceClass = ConfigClass & { service?: string };

const KIT = 'libs/service-kit/src/config/service.config.ts';

/**
 * Reads the configuration classes of service-kit and of every service from their sources, and what their decorators
 * demand from the classes themselves.
 * @param root folder of the repository
 */
export function readGroups(root: string): Group[] {
  const apps = readdirSync(path.join(root, 'apps')).sort();
  const files = [KIT, ...apps.flatMap((app) => configFiles(root, app))];
  const groups = files.flatMap((file) => groupsOf(root, file));
  const services = new Set(apps.map((app) => serviceClassOf(groups, app)));
  const isUsed = ({ name }: Group): boolean =>
    [...services].some((each) => chainOf(groups, each).includes(name));
  return groups.filter(isUsed);
}

/** Returns the names of a class and its parents. */
export function chainOf(groups: readonly Group[], name: string | undefined): string[] {
  const group = groups.find((each) => each.name === name);
  return group ? [group.name, ...chainOf(groups, group.parent)] : [];
}

function serviceClassOf(groups: readonly Group[], service: string): string | undefined {
  return groups.find((each) => each.service === service)?.name;
}

function configFiles(root: string, app: string): string[] {
  const folder = path.join('apps', app, 'src');
  return readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => /(^|[/.])config\.ts$/.test(file) && !file.startsWith('generated'))
    .sort()
    .map((file) => path.join(folder, file))
    .filter((file) => readFileSync(path.join(root, file), 'utf8').includes('@plimsoll/service-kit'));
}

function groupsOf(root: string, file: string): Group[] {
  const absolute = path.join(root, file);
  const classes = require(absolute) as Record<string, ServiceClass>;
  return declaredClasses(file, readFileSync(absolute, 'utf8')).map((declared) => groupOf(declared, classes));
}

function groupOf({ name, parent, variables }: DeclaredClass, classes: Record<string, ServiceClass>): Group {
  const config = classes[name];
  if (!config) throw new Error(`${name} is not exported`);
  const defaults = new config();
  const invalid = new Set(validateSync(defaults).map(({ property }) => property));
  return {
    name,
    parent,
    service: Object.hasOwn(config, 'service') && config.service !== 'unnamed' ? config.service : undefined,
    variables: variables.map((each) => ({
      name: each.name,
      meaning: each.comment,
      allowed: allowedValues(defaults, each.name),
      fallback: invalid.has(each.name) ? 'required' : defaultOf(defaults, each),
    })),
  };
}

/** A variable that is made of several others has an object, which is empty without them. */
function defaultOf(defaults: object, { name, initializer }: DeclaredVariable): string {
  return typeof (defaults as Record<string, unknown>)[name] === 'object' ? "''" : initializer;
}
