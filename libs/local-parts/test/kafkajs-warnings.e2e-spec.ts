import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { testKafka } from '@plimsoll/testing';

jest.setTimeout(60_000);

describe('kafkajs', () => {
  it('prints no warning of Node', async () => {
    const file = path.join(__dirname, 'describe-cluster.ts');
    const args = [
      '-r',
      path.join(__dirname, '../../../tools/typescript-hook.cjs'),
      file,
      testKafka().brokers[0] ?? '',
    ];
    const { stderr } = await promisify(execFile)(process.execPath, args, { timeout: 30_000 });
    expect(stderr).toBe('');
  });
});
