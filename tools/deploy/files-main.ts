import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { CLUSTER_FILE, deployFiles } from './files';
import { yamlText } from './yaml';

const USAGE = `usage: npm run tool -- deploy:files

  Writes docker-compose.yml, deploy/prometheus.yml, deploy/compose-cluster.env and deploy/helm/values from the tables
  of tools/deploy. A test compares them.`;

/** Writes the files. */
export async function main(args: readonly string[]): Promise<void> {
  if (args.length > 0) {
    console.log(USAGE);
    process.exitCode = args.includes('--help') ? 0 : 2;
    return;
  }
  write(CLUSTER_FILE.path, CLUSTER_FILE.text);
  for (const { path: file, comment, content } of deployFiles()) write(file, await yamlText(comment, content));
}

function write(file: string, text: string): void {
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, text);
  console.log(`wrote ${file}`);
}
