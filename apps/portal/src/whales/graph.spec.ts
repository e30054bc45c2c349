import { graphOf } from './graph';

describe('the graph of a cluster', () => {
  it('has each wallet once, the first at the top', () => {
    const { nodes } = graphOf(['0xA', '0xB', '0xC', '0xD'], []);
    expect(nodes.map(({ number }) => number)).toEqual([1, 2, 3, 4]);
    const places = nodes.map(({ x, y }) => [x.toFixed(2), y.toFixed(2)]);
    expect(places).toEqual([
      ['0.50', '0.08'],
      ['0.92', '0.50'],
      ['0.50', '0.92'],
      ['0.08', '0.50'],
    ]);
  });

  it('joins the evidence of two wallets, whichever is named first', () => {
    const { edges } = graphOf(
      ['0xA', '0xB', '0xC'],
      [
        { wallets: ['0xa', '0xb'], kind: 'owner', weight: 0.6 },
        { wallets: ['0xB', '0xA'], kind: 'delegate', weight: 0.9 },
        { wallets: ['0xB', '0xA'], kind: 'owner', weight: 0.2 },
        { wallets: ['0xC', '0xF'], kind: 'owner', weight: 1 },
      ],
    );
    expect(edges).toHaveLength(1);
    expect(edges[0]).toMatchObject({ kinds: ['owner', 'delegate'], weight: 0.9 });
    expect([edges[0]?.from.number, edges[0]?.to.number]).toEqual([1, 2]);
  });
});
