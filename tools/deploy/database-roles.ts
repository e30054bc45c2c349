import { DEPLOYED, type DeployedService } from './services';

export interface RoleOptions {
  database: string;
  /** Before the schema in the name of a role: `plimsoll_positions`. */
  prefix: string;
  /** The password of the role of a service. Null: it is set by hand, with \password of psql. */
  passwordOf: (service: string) => string | null;
}

/** The services with a schema. */
export const WITH_SCHEMA = DEPLOYED.filter(
  (service): service is DeployedService & { schema: string } => service.schema !== null,
);

/** The role of a service. */
export const roleOf = (schema: string, prefix = 'plimsoll_'): string => `${prefix}${schema}`;

/**
 * The statements that give each service a role of its own, which owns the schema of the service and may use no other. An
 * administrator of the database runs them, who need not be a superuser. They change nothing that is right, and give
 * objects of an earlier common role to the new ones.
 */
export function databaseRoles({ database, prefix, passwordOf }: RoleOptions): string {
  return [
    '-- npm run --silent tool -- database-roles prints these statements.',
    `REVOKE ALL ON DATABASE ${name(database)} FROM PUBLIC;`,
    'REVOKE ALL ON SCHEMA public FROM PUBLIC;',
    ...WITH_SCHEMA.map(({ name: service, schema }) =>
      statementsOf(service, schema, roleOf(schema, prefix), database, passwordOf(service)),
    ),
    '',
  ].join('\n');
}

function statementsOf(
  service: string,
  schema: string,
  role: string,
  database: string,
  password: string | null,
): string {
  // A test market of the sandbox has a database of its own.
  const mayCreateDatabases = service === 'sandbox' ? 'CREATEDB' : 'NOCREATEDB';
  return `
DO $$ BEGIN
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = ${text(role)}) THEN CREATE ROLE ${name(role)} LOGIN; END IF;
END $$;
ALTER ROLE ${name(role)} LOGIN NOCREATEROLE ${mayCreateDatabases};${
    password === null ? '' : `\nALTER ROLE ${name(role)} PASSWORD ${text(password)};`
  }
GRANT CONNECT ON DATABASE ${name(database)} TO ${name(role)};
GRANT ${name(role)} TO CURRENT_USER;
CREATE SCHEMA IF NOT EXISTS ${name(schema)} AUTHORIZATION ${name(role)};
ALTER SCHEMA ${name(schema)} OWNER TO ${name(role)};
DO $$ DECLARE each record; BEGIN
  FOR each IN SELECT c.oid::regclass AS named FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
    WHERE n.nspname = ${text(schema)} AND c.relkind IN ('r', 'p', 'v', 'm') AND c.relowner <> ${text(role)}::regrole
  LOOP EXECUTE format('ALTER TABLE %s OWNER TO %I', each.named, ${text(role)}); END LOOP;
  FOR each IN SELECT t.oid::regtype AS named FROM pg_type t JOIN pg_namespace n ON n.oid = t.typnamespace
    WHERE n.nspname = ${text(schema)} AND t.typtype IN ('e', 'd') AND t.typowner <> ${text(role)}::regrole
  LOOP EXECUTE format('ALTER TYPE %s OWNER TO %I', each.named, ${text(role)}); END LOOP;
  FOR each IN SELECT p.oid::regprocedure AS named FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace
    WHERE n.nspname = ${text(schema)} AND p.proowner <> ${text(role)}::regrole
  LOOP EXECUTE format('ALTER ROUTINE %s OWNER TO %I', each.named, ${text(role)}); END LOOP;
END $$;
REVOKE ${name(role)} FROM CURRENT_USER;`;
}

const name = (identifier: string): string => `"${identifier.replaceAll('"', '""')}"`;
const text = (value: string): string => `'${value.replaceAll("'", "''")}'`;
