import path from 'node:path';

/** Every file that the stack writes. */
export interface StackPaths {
  root: string;
  local: string;
  data: string;
  logs: string;
  cache: string;
  runFile: string;
  demoFile: string;
  secretsFile: string;
  /** Folder with the keys of the signed identity. */
  identityKeys: string;
  /** The registry overlay with the addresses of the local markets. */
  overlayFile: string;
  /** The key that triggers the executor contracts, encrypted. */
  keeperFile: string;
}

/** The paths of a workspace. */
export function stackPaths(root: string): StackPaths {
  const local = path.join(root, '.local');
  return {
    root,
    local,
    data: path.join(local, 'data'),
    logs: path.join(local, 'logs'),
    cache: path.join(local, 'cache'),
    runFile: path.join(local, 'run.json'),
    demoFile: path.join(local, 'demo.json'),
    secretsFile: path.join(local, 'secrets.json'),
    identityKeys: path.join(local, 'identity'),
    overlayFile: path.join(local, 'data/registry-overlay.json'),
    keeperFile: path.join(local, 'keeper.json'),
  };
}
