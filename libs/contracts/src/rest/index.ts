export * from './account/account';
export * from './account/activity';
export * from './account/audit';
export * from './account/devices';
export * from './account/keys';
export * from './account/plan';
export * from './account/request-log';
export * from './account/usage';
export * from './ai/ai';
export * from './alerts/alert-settings';
export * from './alerts/alerts';
export * from './alerts/incidents';
export * from './alerts/watched-protocols';
export * from './automation/automation';
export * from './execution/authorisations';
export * from './execution/execution';
export * from './execution/execution-readiness';
export * from './execution/transactions';
export {
  type DtoClass,
  FieldsQuery,
  type ListShape,
  PageQuery,
  RespondsWith,
  type Selectable,
  dtoInstance,
  exampleOf,
  OR_NAME,
  WALLET_PATTERN,
  fieldsAsSent,
  fieldsWithNames,
  isEnsName,
  listShapeOf,
  responseClassOf,
  responseSchema,
  selectable,
  selectableOf,
} from './fields';
export * from './markets/exit-liquidity';
export * from './markets/market-rates';
export * from './names/names';
export * from './positions/analytics';
export * from './positions/history';
export * from './positions/position-scans';
export * from './positions/positions';
export * from './prices/prices';
export * from './receipts/receipt-log';
export * from './receipts/receipts';
export * from './receipts/crossing-receipt';
export * from './receipts/forecast-receipt';
export * from './receipts/simulation-receipt';
export * from './receipts/stored-receipt';
export * from './registry/chains';
export * from './registry/protocols';
export { DRIFTS, MAX_DRIFT, type Drift } from './risk/drift';
export * from './risk/losses';
export * from './risk/market-risk';
export * from './risk/position-risk';
export { RISK_MODELS, SIMULATION_METHODS, type RiskModel, type SimulationMethod } from './risk/risk-basis';
export * from './risk/risk-metrics';
export * from './risk/forecast-record';
export * from './risk/track-record';
export * from './service/public-status';
export * from './service/status';
export * from './simulations/portfolio-simulation';
export * from './simulations/simulate';
export * from './simulations/stress-scenarios';
export * from './streams/tickets';
export * from './test-mode/test-mode';
export * from './wallets/wallet-balances';
export * from './wallets/wallet-imports';
export * from './wallets/wallets';
export * from './webhooks/deliveries';
export * from './webhooks/events';
export * from './webhooks/webhooks';
export * from './whales/whales';
