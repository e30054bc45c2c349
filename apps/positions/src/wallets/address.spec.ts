import { Problem } from '@plimsoll/contracts';
import { parseAddress } from './address';

const CHECKSUMMED = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';

function fieldErrors(text: string): unknown {
  try {
    parseAddress(text, 'address');
    return null;
  } catch (error) {
    return (error as Problem).options.errors;
  }
}

describe('parseAddress', () => {
  it.each([CHECKSUMMED, CHECKSUMMED.toLowerCase(), `0x${CHECKSUMMED.slice(2).toUpperCase()}`])(
    'accepts %s',
    (text) => {
      expect(parseAddress(text, 'address')).toBe(CHECKSUMMED.toLowerCase());
    },
  );

  it.each(['', '0x', 'vitalik.eth', CHECKSUMMED.slice(2), `${CHECKSUMMED}0`, ` ${CHECKSUMMED}`, '0Xab'])(
    'refuses %p',
    (text) => {
      expect(fieldErrors(text)).toEqual([
        expect.objectContaining({ field: 'address', code: 'invalid_address' }),
      ]);
    },
  );

  it('rejects capitals that are not the checksum', () => {
    const wrong = CHECKSUMMED.replace('C51', 'c51');
    expect(fieldErrors(wrong)).toEqual([expect.objectContaining({ code: 'invalid_checksum' })]);
  });
});
