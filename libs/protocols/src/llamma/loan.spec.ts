import { encodeAbiParameters, pad, parseAbiParameters } from 'viem';
import { BORROW_EVENTS } from './loan';

const USER = `0x${'ab'.repeat(20)}` as const;
const CALLER = `0x${'cd'.repeat(20)}` as const;

describe('BORROW_EVENTS', () => {
  it('names the borrower whether the controller indexes it or not, and where it names the caller first', () => {
    const [topic, byAnother] = BORROW_EVENTS.topics;
    const amounts = encodeAbiParameters(parseAbiParameters('uint256, uint256'), [5n, 7n]);
    const all = encodeAbiParameters(parseAbiParameters('address, uint256, uint256'), [USER, 5n, 7n]);
    expect(BORROW_EVENTS.walletsOf({ topics: [topic!, pad(USER)], data: amounts })).toEqual([USER]);
    expect(BORROW_EVENTS.walletsOf({ topics: [topic!], data: all })).toEqual([USER]);
    const topics = [byAnother!, pad(CALLER), pad(USER)];
    expect(BORROW_EVENTS.walletsOf({ topics, data: amounts })).toEqual([USER]);
  });
});
