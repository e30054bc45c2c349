export * from './api-key';
export * from './endpoint';
export * from './endpoints';
export * from './identity-keys/key-files';
export * from './match-endpoint';
export * from './service-calls';
export * from './socket-io-path';
export * from './tier-limits';
