import { parseArgs } from 'node:util';
import { databaseRoles } from './database-roles';

const USAGE = `usage: npm run --silent tool -- database-roles [--database NAME] [--prefix PREFIX]

  Prints statements for psql that give each service a database role of its own. An administrator runs them; a role
  owns the schema of its service and may use no other. Set each password with \\password of psql.
  --database  default plimsoll
  --prefix    before the schema in the name of a role; default plimsoll_`;

/** Prints the statements. */
export function main(args: string[]): void {
  const { values } = parseArgs({
    args,
    options: {
      database: { type: 'string', default: 'plimsoll' },
      prefix: { type: 'string', default: 'plimsoll_' },
      help: { type: 'boolean' },
    },
  });
  if (values.help) console.log(USAGE);
  else process.stdout.write(databaseRoles({ ...values, passwordOf: () => null }));
}
