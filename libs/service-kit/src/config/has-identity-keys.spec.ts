import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createKeys, privateFile, publicFile } from '@plimsoll/access';
import { loadConfig } from './load-config';
import { ServiceConfig } from './service.config';

class GatewayLike extends ServiceConfig {
  static override readonly service = 'gateway';
}

describe('the identity keys of a configuration', () => {
  let folder: string;

  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'has-identity-keys-'));
    createKeys(folder, ['gateway'], 1_000);
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const load = (env: Record<string, string>) => (): ServiceConfig =>
    loadConfig(GatewayLike, { IDENTITY_KEYS_FOLDER: folder, ...env });

  it('let a service start', () => {
    expect(load({})()).toMatchObject({ IDENTITY_KEYS_FOLDER: folder, IDENTITY_FORMER_KEYS: '' });
  });

  it('stop a start when others can read the private ones or change the public ones', () => {
    chmodSync(privateFile(folder, 'gateway'), 0o644);
    expect(load({})).toThrow(/IDENTITY_KEYS_FOLDER Other users can read or change .*gateway\.private\.json/);
    chmodSync(privateFile(folder, 'gateway'), 0o640);
    chmodSync(publicFile(folder), 0o666);
    expect(load({})).toThrow(/Other users can change .*public\.json/);
  });

  it('stop a start without them, in a folder that has none, and under the former variable', () => {
    expect(load({ IDENTITY_KEYS_FOLDER: '' })).toThrow('must be the folder of the identity keys');
    expect(load({ IDENTITY_KEYS_FOLDER: path.join(folder, 'none') })).toThrow('identity-keys create');
    const former = `old:${Buffer.alloc(32, 7).toString('base64')}`;
    expect(load({ IDENTITY_KEYS: former })).toThrow(
      'IDENTITY_KEYS is no longer used: set IDENTITY_KEYS_FOLDER',
    );
    expect(load({ IDENTITY_FORMER_KEYS: former })()).toMatchObject({ IDENTITY_FORMER_KEYS: former });
  });
});
