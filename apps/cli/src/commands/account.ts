import type { Command } from 'commander';
import { type DeviceOptions, logInByDevice } from '../account/device-log-in';
import { type Context, clientOf } from '../context';
import { EXIT, Failure } from '../failure';
import { time } from '../output/text';
import { readSecret } from '../settings/terminal';
import { repeated, withContext } from './command';

const DEFAULT_PROFILE = 'default';

export function addAccountCommands(program: Command): void {
  program
    .command('login')
    .summary('store an API key in a profile')
    .description(
      'Reads an API key from PLIMSOLL_API_KEY, standard input or the terminal, checks it with the API, and stores it in a file that only you can read. The key is no argument, because other users can see arguments. With --device, it gets a key that you approve in a browser.',
    )
    .option('--device', 'get a key by approving a code in a browser')
    .option('--name <text>', 'name of the key of --device')
    .option('--scope <scope>', 'a permission of the key of --device; may be repeated; default: all', repeated)
    .action(withContext(login));
  program
    .command('logout')
    .description('remove the current profile, or that of --profile')
    .action(withContext(logout));
  program
    .command('usage')
    .description('requests of the last 30 days against the quota')
    .action(withContext(usage));
  const profiles = program.command('profiles').description('stored API keys');
  profiles
    .command('list', { isDefault: true })
    .description('list the profiles')
    .action(withContext(listProfiles));
  profiles
    .command('use <name>')
    .description('make a profile the current one')
    .action(withContext(useProfile));
  profiles
    .command('remove <name>')
    .description('remove a profile with its key')
    .action(withContext(removeProfile));
}

async function login(
  context: Context,
  { device = false, ...options }: DeviceOptions & { device?: boolean },
): Promise<void> {
  if (!device && Object.keys(options).length > 0)
    throw new Failure(EXIT.usage, 'option_unused', '--name and --scope are only for --device.');
  const made = device ? await logInByDevice(context, options) : null;
  const apiKey = (made?.key ?? context.environment.apiKey ?? (await readSecret('API key'))).trim();
  if (!/^[\x21-\x7e]+$/.test(apiKey))
    throw new Failure(
      EXIT.usage,
      'key_missing',
      'Standard input has no API key. Give one line with the key.',
    );
  const name = context.profileName ?? DEFAULT_PROFILE;
  const url = context.statedUrl;
  const client = clientOf(apiKey, url, context.clientOptions);
  const { quota } = await client.service.usage();
  const { baseUrl } = client.transport;
  context.profiles.set(name, { apiKey, url: baseUrl });
  const end = made?.expiresAt ? ` It expires at ${time(made.expiresAt)}.` : '';
  context.show(
    { profile: name, url: baseUrl, quota, ...(made && { keyId: made.id, expiresAt: made.expiresAt }) },
    () => `The API at ${baseUrl} accepts the key. It is stored as profile ${name}.${end}`,
  );
}

function logout(context: Context): void {
  const name = context.profileName ?? context.profiles.current;
  if (name === null) throw new Failure(EXIT.usage, 'profile_unknown', 'There is no current profile.');
  remove(context, name);
}

async function usage(context: Context): Promise<void> {
  const report = await context.client().service.usage();
  context.show(report, () => {
    const { requestsPerMinute, requestsPerDay } = report.quota;
    const quota = `${requestsPerMinute} requests a minute, ${requestsPerDay ?? 'no limit of requests'} a day`;
    const rows = report.days.map(({ date, calls }) => [date, calls]);
    return `${quota}\n\n${context.table(['day', { title: 'requests', align: 'right' }], rows, 'No request yet.')}`;
  });
}

function listProfiles(context: Context): void {
  const { profiles } = context;
  const { current } = profiles;
  const rows = profiles
    .names()
    .map((name) => ({ name, url: profiles.get(name).url ?? null, isCurrent: name === current }));
  context.show({ profiles: rows }, () =>
    context.table(
      ['', 'profile', 'url'],
      rows.map(({ name, url, isCurrent }) => [isCurrent ? '*' : '', name, url]),
      'There is no profile. Run plimsoll login.',
    ),
  );
}

function useProfile(context: Context, name: string): void {
  context.profiles.use(name);
  context.show({ profile: name }, () => `${name} is the current profile.`);
}

const removeProfile = (context: Context, name: string): void => remove(context, name);

function remove(context: Context, name: string): void {
  context.profiles.remove(name);
  context.show(
    { removed: name },
    () => `The profile ${name} is removed. The key stays valid until you revoke it.`,
  );
}
