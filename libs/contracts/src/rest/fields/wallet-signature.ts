/** A signature of a wallet: 65 bytes for a key, more for a contract (ERC-1271). */
export const WALLET_SIGNATURE = /^0x([0-9a-fA-F]{2}){65,1024}$/;
