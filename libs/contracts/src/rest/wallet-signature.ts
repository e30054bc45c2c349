/** A signature of a wallet: 65 bytes of a key's own, more where a contract checks it (ERC-1271). */
export const WALLET_SIGNATURE = /^0x([0-9a-fA-F]{2}){65,1024}$/;
