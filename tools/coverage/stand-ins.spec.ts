import { readFileSync } from 'node:fs';
import path from 'node:path';
import { Multicall, parseHead } from '@plimsoll/evm';
import { familyOf, logIndex, parseReading } from '@plimsoll/protocols';
import { replayClient } from '@plimsoll/testing';
import { toFunctionSelector } from 'viem';
import { readProofs } from './proofs';
import { readRecordings } from './recordings';

const FOLDER = path.join(__dirname, '../../test/recordings');
const RECORDINGS = readRecordings();
const STAND_INS = readProofs().filter(({ how }) => how === 'stand-in');
const LACKING = STAND_INS.flatMap(({ family, lacks }) => (lacks ? [[family, lacks] as const] : []));

/** Reads the totals of every row of a recording, one after the other. */
async function readTotals(name: string): Promise<void> {
  const { chain, rows, ...reading } = parseReading(readFileSync(path.join(FOLDER, `${name}.json.gz`)));
  const client = replayClient(chain, name);
  const block = parseHead(chain.block);
  for (const row of rows) {
    const reader = familyOf(row)!.makeReader(row, {
      client,
      multicall: new Multicall(client, chain.multicall3),
      index: logIndex(client, BigInt(reading.firstBlock)),
      usdOracles: reading.usdOracles,
      nativeCurrency: reading.nativeCurrency,
    });
    await reader.readMarket(block);
    await reader.readTotals(block);
  }
}

const namesOf = (family: string): string[] =>
  RECORDINGS.filter((each) => each.family === family).map(({ name }) => name);

describe('stand-ins', () => {
  it.each(LACKING)('of %s have totals, which its recordings lack: %s', async (family, lacks) => {
    const names = namesOf(family);
    expect(names.length).toBeGreaterThan(0);
    for (const name of names)
      await expect(readTotals(name)).rejects.toThrow(toFunctionSelector(`function ${lacks}`));
  });

  it('each names a call of totals that recordings lack', () => {
    expect(STAND_INS.filter(({ lacks }) => !lacks)).toEqual([]);
  });
});
