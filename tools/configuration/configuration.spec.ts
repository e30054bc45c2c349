import { readFileSync } from 'node:fs';
import path from 'node:path';
import { misspeltVariables } from '@plimsoll/service-kit';
import { chainOf, readGroups } from './groups';
import { CONFIGURATION_FILE } from './main';
import { toMarkdown } from './markdown';

const ROOT = path.join(__dirname, '../..');
const GROUPS = readGroups(ROOT);
const VARIABLES = GROUPS.flatMap(({ name, variables }) =>
  variables.map((each) => ({ group: name, ...each })),
);

describe('docs/configuration.md', () => {
  it('matches the configuration classes: npm run tool -- configuration writes it', () => {
    expect(readFileSync(path.join(ROOT, CONFIGURATION_FILE), 'utf8')).toBe(toMarkdown(GROUPS));
  });

  it('has every service', () => {
    const services = GROUPS.flatMap(({ service }) => service ?? []);
    expect(services.toSorted()).toEqual([
      'ai',
      'alerts',
      'execution',
      'gateway',
      'market-data',
      'positions',
      'sandbox',
      'simulation',
      'streams',
      'webhook-delivery',
      'whales',
    ]);
  });

  it('says what each variable means', () => {
    const silent = VARIABLES.filter(({ meaning }) => meaning === undefined);
    expect(silent.map(({ group, name }) => `${group}.${name}`)).toEqual([]);
  });
});

describe('the variables of all services in one environment', () => {
  const all = Object.fromEntries(VARIABLES.map(({ name }) => [name, 'set']));
  const services = GROUPS.filter(({ service }) => service !== undefined);

  it.each(services.map(({ service, name }) => [service, name]))('misspell none of %s', (_, name) => {
    const known = chainOf(GROUPS, name).flatMap((each) =>
      VARIABLES.filter(({ group }) => group === each).map((variable) => variable.name),
    );
    for (const unset of known) expect(misspeltVariables({ ...all, [unset]: '' }, known)).toEqual([]);
  });
});
