import { readFileSync } from 'node:fs';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import {
  ChainRecording,
  Multicall,
  parseHead,
  type BlockRef,
  type ChainClient,
  type ChainRecordingJson,
} from '@plimsoll/evm';
import { replayClient } from '@plimsoll/testing';
import type { HoldingsIndex } from '../src/reader/family';
import { logIndex } from '../src/reader/log-index';

const FOLDER = path.join(__dirname, '../../../test/listings');

/** A list of markets or of accounts, as genuine contracts gave it. A read that is not recorded throws. */
export interface OpenListing<Description> {
  description: Description;
  parts: { client: ChainClient; multicall: Multicall; index: HoldingsIndex };
  block: BlockRef;
}

/** Opens a recorded list. @param name such as `llamma-mint` */
export function openListing<Description>(name: string): OpenListing<Description> {
  const read = (extension: string): Buffer => readFileSync(path.join(FOLDER, `${name}.${extension}`));
  const chain = ChainRecording.fromJson(
    JSON.parse(gunzipSync(read('json.gz')).toString()) as ChainRecordingJson,
  );
  const client = replayClient(chain, `listings/${name}`);
  return {
    description: JSON.parse(read('json').toString()) as Description,
    parts: { client, multicall: new Multicall(client, chain.multicall3), index: logIndex(client) },
    block: parseHead(chain.block),
  };
}
