import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parse } from 'yaml';
import { writeComposeSecrets } from './compose-secrets';
import { CLUSTER_FILE, deployFiles } from './files';

const ROOT = path.join(__dirname, '../..');
const read = (file: string): string => readFileSync(path.join(ROOT, file), 'utf8');

describe('the files of deploy (npm run tool -- deploy:files writes them)', () => {
  it.each(deployFiles())('$path matches the tables', ({ path: file, content, comment }) => {
    expect(parse(read(file))).toEqual(content);
    expect(read(file)).toContain(comment.split('\n')[0]);
  });

  it('the variables of the cluster match', () => {
    expect(read(CLUSTER_FILE.path)).toBe(CLUSTER_FILE.text);
  });
});

interface ComposeService {
  profiles: string[];
  depends_on?: Record<string, { condition: string; required?: boolean }>;
}

describe('docker-compose.yml', () => {
  const { services, secrets } = parse(read('docker-compose.yml')) as {
    services: Record<string, ComposeService>;
    secrets: Record<string, { file: string }>;
  };

  it('starts nothing that waits for a service of another profile', () => {
    const missing = Object.entries(services).flatMap(([name, { profiles, depends_on: needed = {} }]) =>
      Object.entries(needed).flatMap(([other, { required }]) =>
        profiles
          .filter((profile) => required !== false && !services[other]?.profiles.includes(profile))
          .map((profile) => `${name} needs ${other} in ${profile}`),
      ),
    );
    expect(missing).toEqual([]);
  });

  it('starts a service after its migrations, and the gateway last', () => {
    expect(services['positions']?.depends_on).toMatchObject({
      'positions-migrate': { condition: 'service_completed_successfully' },
      kafka: { condition: 'service_healthy' },
    });
    expect(services['positions-migrate']?.depends_on).toMatchObject({
      'database-roles': { condition: 'service_completed_successfully' },
    });
    expect(services['gateway']?.depends_on).toMatchObject({ streams: { condition: 'service_healthy' } });
  });

  describe('its secrets', () => {
    let folder: string;
    beforeEach(() => {
      folder = mkdtempSync(path.join(tmpdir(), 'compose-secrets-'));
    });
    afterEach(() => rmSync(folder, { recursive: true }));
    const fileOf = (file: string): string => file.replace('${PLIMSOLL_SECRETS:-./.local/compose}', folder);

    it('are all written, once, and closed to other users', () => {
      expect(writeComposeSecrets(folder, 'https://node.example')).not.toEqual([]);
      const files = Object.values(secrets).map(({ file }) => fileOf(file));
      expect(files.filter((file) => !existsSync(file))).toEqual([]);
      const open = files
        .filter((file) => (statSync(file).mode & 0o077) !== 0)
        .map((file) => path.basename(file));
      expect(open).toEqual(['postgres-password', 'public.json']);
      const before = files.map((file) => readFileSync(file, 'utf8'));
      expect(writeComposeSecrets(folder, 'https://node.example')).toEqual([]);
      expect(files.map((file) => readFileSync(file, 'utf8'))).toEqual(before);
    });

    it('have the passwords of the addresses in the statements of the roles', () => {
      writeComposeSecrets(folder);
      const url = new URL(readFileSync(path.join(folder, 'database-url-market-data'), 'utf8'));
      expect(url.username).toBe('plimsoll_market_data');
      expect(readFileSync(path.join(folder, 'database-roles.sql'), 'utf8')).toContain(
        `ALTER ROLE "plimsoll_market_data" PASSWORD '${url.password}'`,
      );
      expect(existsSync(path.join(folder, 'rpc-url-1'))).toBe(false);
    });
  });
});
