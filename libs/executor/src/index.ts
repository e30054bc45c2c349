export * from './calls';
export * from './deployment';
export * from './generated/devnet-swap-pool';
export { executorAbi } from './generated/executor';
export * from './outcome';
export * from './policy';
