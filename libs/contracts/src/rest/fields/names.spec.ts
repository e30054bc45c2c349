import { isEnsName } from './names';

describe('isEnsName', () => {
  it('distinguishes names from addresses and from other values', () => {
    const values = ['vitalik.eth', '0x70997970C51812dc3A010C7d01b50e0d17dc79C8', 'eth', null, 1.5];
    expect(values.map(isEnsName)).toEqual([true, false, false, false, false]);
  });
});
