import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { canRun } from './run-command';
import { PartError } from './part-error';

const CANDIDATES = ['postgres', 'nobody'];

/** The options that run a program which refuses to run as root. */
export interface UnprivilegedUser {
  uid: number;
  gid: number;
  /** The program and arguments that run `file` as this user, and the uid to spawn them with. */
  wrap(file: string, args: readonly string[]): { file: string; args: string[]; uid?: number; gid?: number };
}

/**
 * Undefined when we are not root (nothing to do). As root: another user of this machine. When one of `paths`
 * is in a folder closed to it (a checkout under /root), the program keeps the one capability of passing
 * through such folders.
 */
export async function unprivilegedUser(paths: readonly string[]): Promise<UnprivilegedUser | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  const { uid, gid } = firstKnownUser();
  if (paths.every(isReachableByAll))
    return { uid, gid, wrap: (file, args) => ({ file, args: [...args], uid, gid }) };

  const capability = '+dac_override';
  const setpriv = [
    `--reuid=${uid}`,
    `--regid=${gid}`,
    '--clear-groups',
    `--inh-caps=${capability}`,
    `--ambient-caps=${capability}`,
  ];
  if (!(await canRun('setpriv', [...setpriv, 'true']))) {
    throw new PartError(
      'prerequisite_missing',
      'Postgres refuses to run as root, and no other user can reach this folder',
      'Run as a plain user, or move the checkout out of the closed folder',
    );
  }
  return { uid, gid, wrap: (file, args) => ({ file: 'setpriv', args: [...setpriv, file, ...args] }) };
}

/** Read from /etc/passwd, so that no program is needed. */
function firstKnownUser(): { uid: number; gid: number } {
  const users = new Map(
    readFileSync('/etc/passwd', 'utf8')
      .split('\n')
      .map((line) => line.split(':'))
      .map(([name = '', , uid, gid]) => [name, { uid: Number(uid), gid: Number(gid) }]),
  );
  for (const name of CANDIDATES) {
    const user = users.get(name);
    if (user) return user;
  }
  throw new PartError(
    'prerequisite_missing',
    `Postgres refuses to run as root, and there is no user ${CANDIDATES.join(' or ')}`,
    'Run as a plain user, or add a user called postgres',
  );
}

function isReachableByAll(target: string): boolean {
  for (let folder = path.dirname(path.resolve(target)); ; folder = path.dirname(folder)) {
    if ((statSync(folder).mode & 0o001) === 0) return false;
    if (folder === path.dirname(folder)) return true;
  }
}
