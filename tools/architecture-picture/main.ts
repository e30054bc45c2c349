import { readFileSync, writeFileSync } from 'node:fs';
import { architecturePicture } from './picture';
import { readServiceTopics } from './service-topics';

/** The path of the committed picture, from the root of the repository. */
export const PICTURE_FILE = 'docs/architecture/overview.svg';

const USAGE = `usage: npm run tool -- architecture-picture [--check]

  Draws ${PICTURE_FILE} from the topics that the sources of the apps publish and consume.
  --check  writes nothing; exits with 1 when the committed picture is outdated`;

/** Draws or checks the picture in the current folder. */
export function main(args: readonly string[]): void {
  const unknown = args.filter((arg) => arg !== '--check');
  if (unknown.length > 0) {
    console.log(USAGE);
    process.exitCode = args.includes('--help') ? 0 : 2;
    return;
  }
  const picture = architecturePicture(readServiceTopics(process.cwd()));
  if (!args.includes('--check')) {
    writeFileSync(PICTURE_FILE, picture);
    console.log(`${PICTURE_FILE} is drawn.`);
  } else if (readFileSync(PICTURE_FILE, 'utf8') !== picture) {
    console.error(
      `${PICTURE_FILE} is outdated. Run npm run tool -- architecture-picture and commit the file.`,
    );
    process.exitCode = 1;
  }
}
