import { type Group, type Variable, chainOf } from './groups';

const INTRODUCTION = `# Configuration

\`npm run tool -- configuration\` writes this page from the configuration classes. A test compares them.

A service reads its variables at the start. With a wrong one it prints a line for each and exits with 78.
\`node dist/apps/NAME/main.js --check-config\` only checks them.

- **Required** variables have no default. An empty variable counts as absent.
- **Secrets as files**: every variable whose value is text can be set by a file. \`DATABASE_URL_FILE=/run/secrets/database\`
  sets \`DATABASE_URL\` to the content of that file, without the line break at its end. This also holds for
  \`RPC_URL_<chainId>\` and \`RPC_WS_URL_<chainId>\`. Both at once are an error.
- **Misspelt variables**: a variable that differs by one or two letters from one that is not set is an error.
  Other unknown variables may belong to other programs, because the names have no prefix of their own.
`;

/** A line break, until the text is escaped. */
const BREAK = '\0';

/** Titles of the groups of service-kit, by class. */
const TITLES: Readonly<Record<string, string>> = {
  ServiceConfig: 'Every service',
  KafkaConfig: 'Services that publish or consume events',
  DatabaseConfig: 'Services with tables and without events of their own',
  EventServiceConfig: 'Services with tables and events',
  SecretsConfig: 'Services that encrypt secrets in their tables',
};

/** Returns the page. */
export function toMarkdown(groups: readonly Group[]): string {
  const kit = groups.filter(({ name }) => name in TITLES);
  const services = groups.filter(({ service }) => service !== undefined);
  return [
    INTRODUCTION,
    ...kit.map((group) => section(TITLES[group.name] ?? '', [group], usersOf(groups, services, group))),
    ...services.map((group) => {
      const own = chainOf(groups, group.name)
        .map((name) => groups.find((each) => each.name === name))
        .filter((each): each is Group => each !== undefined && !(each.name in TITLES));
      return section(group.service ?? '', own);
    }),
  ].join('\n');
}

function usersOf(groups: readonly Group[], services: readonly Group[], { name }: Group): string {
  const users = services.filter((each) => chainOf(groups, each.name).includes(name));
  return users.length === services.length ? '' : `\n${users.map(({ service }) => service).join(', ')}\n`;
}

function section(title: string, groups: readonly Group[], users = ''): string {
  const rows = groups.flatMap(({ variables }) => variables.map(rowOf));
  return `## ${title}
${users}
| variable | default | meaning |
|---|---|---|
${rows.join('\n')}
`;
}

function rowOf({ name, fallback, meaning = '', allowed }: Variable): string {
  const text = plain(meaning.replaceAll('\n- ', BREAK).replaceAll(/\s+/g, ' '));
  return `| \`${name}\` | ${defaultOf(fallback)} | ${[text, plain(allowed)].filter(Boolean).join('<br>')} |`;
}

function defaultOf(fallback: string): string {
  if (fallback === 'required') return '**required**';
  if (fallback === "''") return 'empty';
  return /^[\d_]+$/.test(fallback)
    ? Number(fallback.replaceAll('_', '')).toLocaleString('en')
    : `\`${fallback.replaceAll("'", '')}\``;
}

/** Text in a table that Markdown reads as text, as in `RPC_URL_<chainId>` and `a|b`. */
function plain(text: string): string {
  const parts = text.split('`').map((part, at) => (at % 2 === 0 ? part.replaceAll('<', '\\<') : part));
  return parts.join('`').replaceAll('|', '\\|').replaceAll(BREAK, '<br>');
}
