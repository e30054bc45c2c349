export {
  DEVNET_SPREAD_BPS,
  deployExecutor,
  type ExecutorAddresses,
  type OtherMarkets,
} from './deploy-executor';
export { devnetPolicy, writePolicies, type PolicyTarget } from './write-policies';
