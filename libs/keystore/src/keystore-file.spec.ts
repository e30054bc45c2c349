import { scrypt } from '@noble/hashes/scrypt';
import { keccak256 } from 'viem';
import { privateKeyToAddress } from 'viem/accounts';
import { decryptKey, encryptKey } from './keystore-file';

/** The test vector of the Web3 Secret Storage Definition for scrypt, with the password testpassword. */
const VECTOR = {
  crypto: {
    cipher: 'aes-128-ctr',
    cipherparams: { iv: '83dbcc02d8ccb40e466191a123791e0e' },
    ciphertext: 'd172bf743a674da9cdad04534d56926ef8358534d458fffccd4e6ad2fbde479c',
    kdf: 'scrypt',
    kdfparams: {
      dklen: 32,
      n: 262144,
      p: 8,
      r: 1,
      salt: 'ab0c7876052600dd703518d6fc3fe8984592145b591fc8fb5c6d43190334ba19',
    },
    mac: '2103ac29920d71da29f15d75b4a16dbe95cfd7ff8faea1056c33131d846e3097',
  },
  id: '3198bc9c-6672-5ab3-d995-4942343ae5b6',
  version: 3,
};
const KEY = '0x7a28b5ba57c53603b0b07b56bba752f7784bf506fa95edc395f5cf6c7514fe9d';

describe('decryptKey', () => {
  it('decrypts the published test vector', async () => {
    expect(await decryptKey(VECTOR, 'testpassword')).toBe(KEY);
    expect(privateKeyToAddress(KEY).toLowerCase()).toBe('0x008aeeda4d805471df9b2a5b0f38a0c3bcba786b');
  });

  it('rejects a wrong password without quoting it, and rejects another format version', async () => {
    const wrong = decryptKey(VECTOR, 'hunter2');
    await expect(wrong).rejects.toThrow('does not decrypt');
    await expect(wrong).rejects.not.toThrow('hunter2');
    await expect(decryptKey({ ...VECTOR, version: 1 }, 'x')).rejects.toThrow('/version');
  });
});

describe('encryptKey', () => {
  it('derives as another implementation of scrypt does', async () => {
    const salt = Buffer.alloc(32, 1);
    const { crypto } = await encryptKey(KEY, 'a password', { salt, iv: Buffer.alloc(16, 2) });
    const { n: N, r, p, dklen: dkLen } = crypto.kdfparams;
    const derived = scrypt('a password', salt, { N, r, p, dkLen });
    const mac = keccak256(Buffer.concat([derived.subarray(16), Buffer.from(crypto.ciphertext, 'hex')]));
    expect(crypto.mac).toBe(mac.slice(2));
  });

  it('writes a file that decryptKey decrypts and that does not contain the key', async () => {
    const file = await encryptKey(KEY, 'a password', { salt: Buffer.alloc(32, 1), iv: Buffer.alloc(16, 2) });
    expect(JSON.stringify(file)).not.toContain(KEY.slice(2));
    expect(await decryptKey(JSON.parse(JSON.stringify(file)), 'a password')).toBe(KEY);
  });
});
