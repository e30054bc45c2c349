import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { findAsset } from '../assets/asset-table';
import { loadPriceFeeds } from './price-feeds';

const folder = mkdtempSync(path.join(tmpdir(), 'feeds-'));
afterAll(() => rmSync(folder, { recursive: true }));

const file = (content: object): string => {
  const name = path.join(folder, 'overlay.json');
  writeFileSync(name, JSON.stringify(content));
  return name;
};

describe('loadPriceFeeds', () => {
  it('has a sequencer feed for every L2, and only assets of our table', async () => {
    const chains = await loadPriceFeeds();
    expect(chains.filter(({ sequencer }) => sequencer === null).map(({ chainId }) => chainId)).toEqual([1]);
    const assets = chains.flatMap(({ feeds }) => feeds.map(({ asset }) => asset));
    expect(assets.filter((asset) => findAsset(asset)?.symbol !== asset)).toEqual([]);
  });

  it('takes the feeds of the overlay for the chains that it names', async () => {
    const local = { chainId: 1, source: 'local-market', sequencer: null, feeds: [] };
    const chains = await loadPriceFeeds(file({ chains: [], protocols: [], priceFeeds: [local] }));
    expect(chains.find(({ chainId }) => chainId === 1)).toEqual(local);
    expect(chains.some(({ chainId }) => chainId === 10)).toBe(true);
  });

  it('names what is wrong in an overlay', async () => {
    await expect(loadPriceFeeds(file({ priceFeeds: [{ chainId: 1 }] }))).rejects.toThrow('/priceFeeds/0');
  });
});
