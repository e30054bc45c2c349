import {
  chmodSync,
  chownSync,
  copyFileSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { unprivilegedUser, workspaceRoot } from '@plimsoll/local-parts';
import type { serviceCommand } from '../../tools/local-stack/services/services';
import type { ServiceName } from '../../tools/local-stack/services/service-environment';
import { type ImageTree, writeImageTree } from '../../tools/image-tree/image-tree';

type Command = ReturnType<typeof serviceCommand>;

/** The file trees of the services' images, on this machine. */
export interface ServiceImages {
  readonly trees: readonly ImageTree[];
  /** A folder that the services may read and write. */
  readonly data: string;
  /** The command of a service in its image. As root, it runs as another user, who may write nothing in the image. */
  inImage(name: ServiceName, command: Command): Command & { cwd: string; uid?: number; gid?: number };
  /** Gives everything in `data` to the user of the services. */
  giveData(): void;
  remove(): void;
}

/** Writes the image trees of these services, from their builds. */
export async function writeServiceImages(names: readonly ServiceName[]): Promise<ServiceImages> {
  const folder = mkdtempSync(path.join(tmpdir(), 'plimsoll-images-'));
  chmodSync(folder, 0o755);
  const data = path.join(folder, 'data');
  mkdirSync(data);
  const node = path.join(folder, 'node');
  copyProgram(process.execPath, node);
  const trees = names.map((name) => writeImageTree(workspaceRoot(), name, path.join(folder, name)));
  const user = await unprivilegedUser([node, data]);
  const owner = user && { uid: user.uid, gid: user.gid };
  return {
    trees,
    data,
    inImage: (name, { args, env }) => ({
      file: node,
      args: [...args.slice(0, -1), 'app/main.js'],
      env,
      cwd: path.join(folder, name),
      ...owner,
    }),
    giveData: () => {
      if (!owner) return;
      for (const each of ['.', ...(readdirSync(data, { recursive: true }) as string[])])
        chownSync(path.join(data, each), owner.uid, owner.gid);
    },
    remove: () => {
      makeWritable(folder);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** The checkout may be in a folder that is closed to other users. */
function copyProgram(from: string, to: string): void {
  try {
    linkSync(from, to);
  } catch {
    copyFileSync(from, to);
  }
}

/** An owner who is not root cannot remove files from a read-only folder. */
function makeWritable(folder: string): void {
  chmodSync(folder, 0o755);
  for (const entry of readdirSync(folder, { withFileTypes: true }))
    if (entry.isDirectory()) makeWritable(path.join(folder, entry.name));
}
