import { movedAssets } from './what-if.service';

const change = (asset: string) => ({ asset, priceChangePercent: -10 });
const held = ['ETH', 'WSTETH', 'RETH', 'CBBTC', 'USDC'];

describe('movedAssets', () => {
  it('ETH and WETH move staking tokens too', () => {
    expect(movedAssets(change('ETH'), [change('ETH')], held)).toEqual(['ETH', 'WSTETH', 'RETH']);
    expect(movedAssets(change('weth'), [change('weth')], held)).toEqual(['ETH', 'WSTETH', 'RETH']);
  });

  it('except those that the list names; a staking token moves only itself', () => {
    const list = [change('ETH'), change('rETH')];
    expect(movedAssets(list[0]!, list, held)).toEqual(['ETH', 'WSTETH']);
    expect(movedAssets(list[1]!, list, held)).toEqual(['RETH']);
  });

  it('ETH moves a staking token of a position without ETH; nothing for assets that are not held', () => {
    expect(movedAssets(change('ETH'), [change('ETH')], ['WSTETH'])).toEqual(['WSTETH']);
    expect(movedAssets(change('LINK'), [change('LINK')], held)).toEqual([]);
  });
});
