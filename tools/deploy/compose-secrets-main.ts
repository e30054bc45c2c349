import { existsSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { writeComposeSecrets } from './compose-secrets';

const USAGE = `usage: npm run tool -- deploy:secrets [--rpc-url URL] [--folder FOLDER]

  Writes the secrets that docker-compose.yml mounts: passwords, keys, and the address of a node of Ethereum. Files that
  exist stay as they are. Run it as the user whose id PLIMSOLL_UID has (default 1000).
  --folder  default .local/compose; PLIMSOLL_SECRETS of Compose`;

/** Writes the files and says what is missing. */
export function main(args: string[]): void {
  const { values } = parseArgs({
    args,
    options: {
      folder: { type: 'string', default: '.local/compose' },
      'rpc-url': { type: 'string' },
      help: { type: 'boolean' },
    },
  });
  if (values.help) {
    console.log(USAGE);
    return;
  }
  const folder = path.resolve(values.folder);
  const written = writeComposeSecrets(folder, values['rpc-url']);
  console.log(`Wrote ${written.length} files to ${values.folder}.`);
  if (!existsSync(path.join(folder, 'rpc-url-1')))
    console.log('The services read no chain yet: run it again with --rpc-url http://your-node.');
}
