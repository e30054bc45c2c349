import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { AppendOnlyFile, encodeCommand } from './append-only-file';

const folder = (): string => mkdtempSync(path.join(os.tmpdir(), 'aof-'));

function read(from: string): string[][] {
  const commands: string[][] = [];
  AppendOnlyFile.open(from, (command) => commands.push(command)).close();
  return commands;
}

describe('AppendOnlyFile', () => {
  it('returns what was written, in order', () => {
    const dir = folder();
    const file = AppendOnlyFile.open(dir, () => undefined);
    file.append(['SET', 'a', '1']);
    file.flush();
    file.append(['SET', 'b', 'é\r\n\0']);
    file.append(['DEL', 'a']);
    file.close();
    expect(read(dir)).toEqual([
      ['SET', 'a', '1'],
      ['SET', 'b', 'é\r\n\0'],
      ['DEL', 'a'],
    ]);
  });

  it('keeps whole units however the file is cut off', () => {
    const dir = folder();
    const file = AppendOnlyFile.open(dir, () => undefined);
    file.append(['SET', 'first', '1']);
    file.flush();
    file.append(['SET', 'x', '1']);
    file.append(['SET', 'y', '1']);
    file.close();
    const target = path.join(dir, 'appendonly.aof');
    const whole = readFileSync(target);
    const first = encodeCommand(['SET', 'first', '1']).length;
    for (let bytes = 0; bytes < whole.length; bytes += 1) {
      writeFileSync(target, whole.subarray(0, bytes));
      const commands = read(dir).map(([, key]) => key);
      expect(commands).toEqual(bytes < first ? [] : ['first']);
      // The incomplete end was removed from the file, so new commands follow complete ones.
      expect(readFileSync(target)).toHaveLength(bytes < first ? 0 : first);
    }
    writeFileSync(target, whole);
    expect(read(dir)).toHaveLength(3);
  });

  it('rejects a damaged file instead of starting without its data', () => {
    const dir = folder();
    const bytes = `${encodeCommand(['SET', 'a', '1'])}garbage in between\r\n*x\r\n`;
    writeFileSync(path.join(dir, 'appendonly.aof'), bytes);
    expect(() => read(dir)).toThrow('The append-only file is damaged');
  });

  it('is replaced by a rewrite and continues after it', () => {
    const dir = folder();
    const file = AppendOnlyFile.open(dir, () => undefined);
    for (let i = 0; i < 100; i += 1) file.append(['SET', 'a', String(i)]);
    file.flush();
    file.rewrite([['SET', 'a', '99']]);
    file.append(['SET', 'b', '1']);
    file.close();
    expect(read(dir)).toEqual([
      ['SET', 'a', '99'],
      ['SET', 'b', '1'],
    ]);
  });

  it('is shortened again when it is twice as long as after the last rewrite, or was long at the start', () => {
    const dir = folder();
    const value = 'x'.repeat(1_048_576);
    const fill = (file: AppendOnlyFile, mebibytes: number): void => {
      for (let i = 0; i < mebibytes; i += 1) file.append(['SET', 'a', value]);
      file.flush();
    };
    const file = AppendOnlyFile.open(dir, () => undefined);
    fill(file, 3);
    expect(file.wantsRewrite).toBe(false);
    fill(file, 2);
    expect(file.wantsRewrite).toBe(true);
    file.rewrite(Array.from({ length: 5 }, () => ['SET', 'a', value]));
    fill(file, 3);
    expect(file.wantsRewrite).toBe(false);
    fill(file, 3);
    expect(file.wantsRewrite).toBe(true);
    file.close();
    const again = AppendOnlyFile.open(dir, () => undefined);
    expect(again.wantsRewrite).toBe(true);
    again.close();
  });
});
