import 'reflect-metadata';
export * from './address';
export * from './ai';
export * from './alert-content';
export * from './alert-content-of';
export * from './alert-group';
export * from './alerts';
export * from './assets';
export * from './automation';
export * from './risk/bands';
export * from './protocols';
export * from './correlation';
export * from './risk/levels';
export * from './errors/catalogue';
export { isDependencyFailure, TransientError } from './errors/dependency-failure';
export * from './errors/problem';
export * from './events';
export { SERVICE_TOPICS, type TopicsOfService } from './events/service-topics';
export * from './execution';
export * from './identity';
export * from './ids';
export * from './names';
export * from './position-sides';
export * from './prices';
export { recordId, shownAddress, walletInPath } from './schema-fields';
export * from './rest';
export {
  PROTOCOL_HEALTHS,
  RISK_LEVELS,
  RISK_TRENDS,
  RiskThresholds,
  type ProtocolHealth,
  type RiskLevel,
  type RiskTrend,
} from './risk/risk-level-schema';
export * from './streams/client-frames';
export * from './streams/names';
export * from './streams/server-frames';
export * from './tiers';
export * from './webhooks';
export * from './whales';
