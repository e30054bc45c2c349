import { stringify } from 'yaml';

/** A value of a YAML file. */
export type Yaml = string | number | boolean | null | readonly Yaml[] | { readonly [key: string]: Yaml };

/** A YAML file in the format of the repository, with a comment at its beginning. */
export async function yamlText(comment: string, content: Yaml): Promise<string> {
  // It is large, and only the writer of files needs it.
  const { format, resolveConfig } = await import('prettier');
  const text = stringify(content, {
    aliasDuplicateObjects: false,
    // Parsers of version 1.1 read no, yes and on as booleans.
    compat: 'yaml-1.1',
    lineWidth: 0,
    singleQuote: true,
  });
  const lines = comment.split('\n').map((line) => (line === '' ? '#' : `# ${line}`));
  const options = await resolveConfig('docker-compose.yml');
  return format(`${lines.join('\n')}\n${text}`, { ...options, parser: 'yaml' });
}
