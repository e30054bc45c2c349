import { repositoryFiles } from '@plimsoll/local-parts';

const CODE = /\.(ts|tsx|cjs|mjs)$/;
const DOCUMENT = /\.md$/;
/** Generated files and texts of others. */
const EXCLUDED = /(^|\/)(generated|node_modules)\/|^CODE_OF_CONDUCT\.md$|\.d\.ts$/;

export interface ProseFiles {
  code: string[];
  documents: string[];
}

/** Files of the repository that contain prose, below the given paths. Default: all of them. */
export function proseFiles(paths: readonly string[], root = process.cwd()): ProseFiles {
  const names = repositoryFiles(root, paths).filter((name) => !EXCLUDED.test(name));
  return {
    code: names.filter((name) => CODE.test(name)),
    documents: names.filter((name) => DOCUMENT.test(name)),
  };
}
