export { KeystoreFile, decryptKey, encryptKey, type KeystoreRandomness } from './keystore-file';
