// node check-custom-resources.mjs MODELS: reads custom resources as JSON from standard input, prints a line for each that its
// schema rejects, and then ends with 1. MODELS is the folder of the npm packages with the schemas.
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';

const FOLDERS = {
  'keda.sh/v1alpha1': 'keda/keda.sh/v1alpha1',
  'monitoring.coreos.com/v1': 'prometheus-operator/monitoring.coreos.com/v1',
  'external-secrets.io/v1': 'external-secrets/external-secrets.io/v1',
};

const report = (line) => {
  console.log(line);
  process.exitCode = 1;
};

for (const { file, resource } of JSON.parse(await text(process.stdin))) {
  const folder = FOLDERS[resource.apiVersion];
  const models = folder && (await import(pathToFileURL(path.join(process.argv[2], folder, 'index.js')).href));
  const Model = models?.[resource.kind];
  if (!Model) {
    report(`${file}: there is no schema of ${resource.kind} ${resource.apiVersion}`);
    continue;
  }
  try {
    new Model(resource).validate();
  } catch (error) {
    report(`${file}: ${resource.kind} ${resource.metadata?.name}: ${error.message}`);
  }
}
