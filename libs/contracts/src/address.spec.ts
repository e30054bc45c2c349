import { checksumAddress, parseAddress } from './address';
import type { Problem } from './errors/problem';

describe('checksumAddress', () => {
  // Examples from EIP-55.
  it.each([
    '0x52908400098527886E0F7030069857D2E4169EE7',
    '0xde709f2102306220921060314715629080e2fb77',
    '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
    '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359',
    '0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB',
    '0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb',
  ])('keeps %s unchanged', (address) => {
    expect(checksumAddress(address.toLowerCase())).toBe(address);
  });
});

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
