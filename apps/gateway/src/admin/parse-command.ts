import { SERVICES, type Service, isWellFormedApiKey } from '@plimsoll/access';
import { isId, type Scope, SCOPES, type Tier, TIERS } from '@plimsoll/contracts';
import { CommanderError, Command as Program } from 'commander';
import type { AccountName, AccountTerms } from '../identity/accounts/accounts';
import type { NewKey } from '../identity/keys/account-keys';

/** An invalid command line. The message states a valid one. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

export type Command =
  | { name: 'help' }
  | { name: 'accounts create'; email: string; terms: AccountTerms }
  | { name: 'accounts set-tier'; account: AccountName; terms: AccountTerms }
  | { name: 'accounts reset-password'; account: AccountName }
  | { name: 'plan-requests list' }
  | { name: 'keys create'; accountId: string; key: NewKey }
  | { name: 'keys list'; accountId?: string | undefined }
  | { name: 'keys revoke'; id: string }
  | { name: 'keys rotate'; id: string; overlapHours: number }
  | { name: 'identity-keys create' }
  | {
      name: 'identity-keys rotate';
      service: Service | undefined;
      afterSeconds: number;
      overlapSeconds: number;
    }
  | { name: 'secret-keys create'; variable: string; id: string }
  | { name: 'operator-alerts list'; at: string[] | undefined }
  | { name: 'ensure-demo'; email: string; terms: AccountTerms; key: string; password: string | undefined };

type Values = Record<string, string | boolean | undefined>;

interface Line {
  /** Options with a value. */
  strings: readonly string[];
  flags?: readonly string[];
  toCommand: (values: Values, now: Date) => Command;
}

/** Every command by its words. */
const LINES: Record<Exclude<Command['name'], 'help'>, Line> = {
  'accounts create': {
    strings: ['email', 'tier', 'per-minute'],
    toCommand: (values) => ({ name: 'accounts create', email: email(values), terms: terms(values) }),
  },
  'accounts set-tier': {
    strings: ['email', 'id', 'tier', 'per-minute'],
    toCommand: (values) => ({
      name: 'accounts set-tier',
      account: accountName(values),
      terms: terms(values),
    }),
  },
  'accounts reset-password': {
    strings: ['email', 'id'],
    toCommand: (values) => ({ name: 'accounts reset-password', account: accountName(values) }),
  },
  'plan-requests list': { strings: [], toCommand: () => ({ name: 'plan-requests list' }) },
  'keys create': {
    strings: ['account', 'name', 'scopes', 'expires-at', 'test-tier'],
    flags: ['demo'],
    toCommand: (values, now) => ({
      name: 'keys create',
      accountId: recordId(values, 'account', 'acc'),
      key: newKey(values, now),
    }),
  },
  'keys list': {
    strings: ['account'],
    toCommand: (values) => ({
      name: 'keys list',
      accountId: values.account === undefined ? undefined : recordId(values, 'account', 'acc'),
    }),
  },
  'keys revoke': {
    strings: ['id'],
    toCommand: (values) => ({ name: 'keys revoke', id: recordId(values, 'id', 'key') }),
  },
  'keys rotate': {
    strings: ['id', 'overlap-hours'],
    toCommand: (values) => ({
      name: 'keys rotate',
      id: recordId(values, 'id', 'key'),
      overlapHours: overlapHours(values),
    }),
  },
  'identity-keys create': { strings: [], toCommand: () => ({ name: 'identity-keys create' }) },
  'identity-keys rotate': {
    strings: ['service', 'after-seconds', 'overlap-seconds'],
    toCommand: (values) => ({
      name: 'identity-keys rotate',
      service: service(values),
      afterSeconds: seconds(values, 'after-seconds', 60),
      overlapSeconds: seconds(values, 'overlap-seconds', 120),
    }),
  },
  'secret-keys create': {
    strings: ['variable', 'id'],
    toCommand: (values) => ({
      name: 'secret-keys create',
      variable: matching(values, 'variable', /^[A-Z]+_SECRET_KEYS$/, 'as in WEBHOOK_SECRET_KEYS'),
      id: matching(values, 'id', /^[\w-]{1,64}$/, 'letters, digits, _ and -, as in 2026-12'),
    }),
  },
  'operator-alerts list': {
    strings: ['at'],
    toCommand: (values) => ({ name: 'operator-alerts list', at: addresses(values) }),
  },
  'ensure-demo': {
    strings: ['email', 'tier', 'per-minute', 'key', 'password'],
    toCommand: (values) => ({
      name: 'ensure-demo',
      email: email(values),
      terms: terms(values),
      key: demoKey(values),
      password: values.password === undefined ? undefined : text(values, 'password'),
    }),
  },
};

/**
 * Parses the words after `admin`.
 * @param now for --expires-at, which must be in the future
 * @throws UsageError
 */
export function parseCommand(words: readonly string[], now: Date): Command {
  if (words.length === 0 || words.includes('--help') || words[0] === 'help') return { name: 'help' };
  let chosen: Command | undefined;
  const program = quiet(new Program('admin'));
  for (const [name, { strings, flags = [], toCommand }] of Object.entries(LINES)) {
    const line = commandAt(program, name.split(' '));
    for (const option of strings) line.option(`--${option} <value>`);
    for (const flag of flags) line.option(`--${flag}`);
    line.action(() => {
      const values = line.options.map((each) => [each.name(), line.getOptionValue(each.attributeName())]);
      chosen = toCommand(Object.fromEntries(values) as Values, now);
    });
  }
  try {
    program.parse(words, { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    const isUnknown = error.code === 'commander.unknownCommand' || error.code === 'commander.help';
    if (!isUnknown) throw new UsageError(sentence(error.message), { cause: error });
  }
  if (chosen) return chosen;
  throw new UsageError(
    `There is no command "${words.slice(0, words[0] === 'ensure-demo' ? 1 : 2).join(' ')}".`,
  );
}

/** The message of commander as a sentence. */
function sentence(message: string): string {
  const text = message.replace(/^error: /, '');
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}

/** The command at a path, with the groups before it. */
function commandAt(program: Program, [word = '', ...rest]: readonly string[]): Program {
  const known = program.commands.find((each) => each.name() === word);
  const command = known ?? quiet(program.command(word));
  return rest.length === 0 ? command : commandAt(command, rest);
}

/** Throws instead of printing and exiting. HELP describes all commands. */
const quiet = (command: Program): Program =>
  command
    .exitOverride()
    .configureOutput({ writeOut: () => undefined, writeErr: () => undefined })
    .showSuggestionAfterError(false)
    .helpCommand(false)
    .helpOption(false);

function text(values: Values, option: string): string {
  const value = values[option];
  if (typeof value === 'string' && value !== '') return value;
  throw new UsageError(`--${option} is missing.`);
}

function email(values: Values): string {
  const address = text(values, 'email').toLowerCase();
  if (/^[^\s@]{1,64}@[^\s@]{1,190}$/.test(address)) return address;
  throw new UsageError('--email is no e-mail address.');
}

function tier(values: Values, option = 'tier'): Tier {
  const found = TIERS.find((each) => each === text(values, option));
  if (found) return found;
  throw new UsageError(`--${option} must be one of ${TIERS.join(', ')}.`);
}

function terms(values: Values): AccountTerms {
  const chosen = tier(values);
  if (values['per-minute'] === undefined) return { tier: chosen, requestsPerMinute: null };
  const perMinute = Number(values['per-minute']);
  if (chosen !== 'enterprise') throw new UsageError('--per-minute is only for the enterprise tier.');
  if (Number.isInteger(perMinute) && perMinute >= 1 && perMinute <= 10_000_000) {
    return { tier: chosen, requestsPerMinute: perMinute };
  }
  throw new UsageError('--per-minute must be a whole number from 1 to 10000000.');
}

function recordId(values: Values, option: string, prefix: 'acc' | 'key'): string {
  const id = text(values, option);
  if (isId(prefix, id)) return id;
  throw new UsageError(`--${option} must be an id that begins with ${prefix}_.`);
}

function accountName(values: Values): AccountName {
  if ((values.id === undefined) === (values.email === undefined))
    throw new UsageError('Give --email or --id.');
  return values.id === undefined ? { email: email(values) } : { id: recordId(values, 'id', 'acc') };
}

function newKey(values: Values, now: Date): NewKey {
  return {
    name: values.name === undefined ? 'unnamed' : text(values, 'name').slice(0, 100),
    scopes: scopes(values),
    expiresAt: expiry(values, now),
    kind: values.demo === true ? 'demo' : 'live',
    ...(values['test-tier'] !== undefined && { testTier: tier(values, 'test-tier') }),
  };
}

function scopes(values: Values): Scope[] {
  if (values.scopes === undefined) return [...SCOPES];
  const wanted = text(values, 'scopes').split(',');
  const known = SCOPES.filter((scope) => wanted.includes(scope));
  if (known.length === new Set(wanted).size) return known;
  throw new UsageError(`--scopes must be of ${SCOPES.join(', ')}, separated by commas.`);
}

function expiry(values: Values, now: Date): Date | null {
  if (values['expires-at'] === undefined) return null;
  const at = new Date(text(values, 'expires-at'));
  if (at > now) return at;
  throw new UsageError('--expires-at must be an ISO 8601 time in the future.');
}

function overlapHours(values: Values): number {
  const hours = values['overlap-hours'] === undefined ? 24 : Number(text(values, 'overlap-hours'));
  if (Number.isInteger(hours) && hours >= 0 && hours <= 168) return hours;
  throw new UsageError('--overlap-hours must be a whole number from 0 to 168.');
}

function service(values: Values): Service | undefined {
  if (values.service === undefined) return undefined;
  const found = SERVICES.find((each) => each === values.service);
  if (found) return found;
  throw new UsageError(`--service must be one of ${SERVICES.join(', ')}.`);
}

function seconds(values: Values, name: string, otherwise: number): number {
  const given = values[name] === undefined ? otherwise : Number(text(values, name));
  if (Number.isInteger(given) && given >= 2 && given <= 86_400) return given;
  throw new UsageError(`--${name} must be a whole number from 2 to 86400.`);
}

function addresses(values: Values): string[] | undefined {
  return values.at === undefined ? undefined : operationsAddresses(text(values, 'at'), '--at');
}

/**
 * Operations addresses of services, separated by commas.
 * @param name of the option or variable, for the error
 * @throws UsageError
 */
export function operationsAddresses(list: string, name: string): string[] {
  const found = list.split(',').map((each) => each.trim());
  const invalid = found.find((each) => !URL.canParse(each) || !/^https?:$/.test(new URL(each).protocol));
  if (invalid === undefined) return found;
  throw new UsageError(`${name} must be http(s) addresses, separated by commas, not "${invalid}".`);
}

function matching(values: Values, name: string, form: RegExp, rule: string): string {
  const value = text(values, name);
  if (form.test(value)) return value;
  throw new UsageError(`--${name} must be ${rule}, not "${value}".`);
}

function demoKey(values: Values): string {
  const key = text(values, 'key');
  if (key.startsWith('psk_demo_') && isWellFormedApiKey(key)) return key;
  throw new UsageError('--key must be a whole key that begins with psk_demo_.');
}

export const HELP = `Accounts and API keys of Plimsoll.

usage: npm run admin -- <command> [options]

  accounts create --email E --tier T [--per-minute N]   a new account
  accounts set-tier (--email E | --id acc_…) --tier T [--per-minute N]
                                                        another tier; N is for enterprise alone. It ends a request of the plan
  plan-requests list                                    tiers that accounts requested in the portal, oldest first
  accounts reset-password (--email E | --id acc_…)      a new password, shown this once; all sessions end
  keys create --account acc_… [--name N] [--scopes a,b] [--expires-at ISO] [--demo]
                                                        [--test-tier T]
                                                        a new key; it is shown this once
  keys list [--account acc_…]                           keys, newest first
  keys revoke --id key_…                                the key stops working within a second
  keys rotate --id key_… [--overlap-hours N]            a key in its place; the old one works N hours more (24)
  identity-keys create                                  keys of all services that have none, in the folder IDENTITY_KEYS_FOLDER
  identity-keys rotate [--service S] [--after-seconds N] [--overlap-seconds N]
                                                        new keys there, in use after N seconds (60); the former ones
                                                        stay valid for N seconds more (120); no restart
  secret-keys create --variable V --id I                a new key for WEBHOOK_SECRET_KEYS or RECEIPT_SECRET_KEYS, which SECRET_KEYS_KMS
                                                        encrypts if it is set
  receipt-keys list                                     every public key of receipts, oldest first
  receipt-keys rotate [--after-seconds N] [--overlap-seconds N]
                                                        a new key, in use after N seconds (900); the former one ends N
                                                        seconds after that (86400)
  operator-alerts list [--at URL,URL]                   open alerts for operators with the next step, oldest first, from
                                                        these operations addresses (else OPERATIONS_URLS)
  ensure-demo --tier T --email E --key psk_demo_… [--password P] [--per-minute N]
                                                        that account with that key and password; again changes nothing

Tiers: open, pro, business, enterprise. Without --scopes a key has all of them.
Answers are JSON on standard output, errors are on standard error.
Exit codes: 0 done, 1 refused or failed, 2 wrong usage, 78 wrong configuration.
Configuration: DATABASE_URL, REDIS_URL, REDIS_KEY_PREFIX; for identity-keys only IDENTITY_KEYS_FOLDER;
for secret-keys only SECRET_KEYS_KMS, and the variables of AWS or Vault;
for receipt-keys only DATABASE_URL of positions, and RECEIPT_SECRET_KEYS with SECRET_KEYS_KMS to rotate;
for operator-alerts only OPERATIONS_URLS, which npm start has in .local/run.json.
`;
