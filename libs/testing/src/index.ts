export {
  startEvm,
  findFreePort,
  startKafka,
  startPostgres,
  startRedis,
  type EvmOptions,
  type RunningPart,
  type SecuredListeners,
} from '@plimsoll/local-parts';
export {
  createTestFolder,
  startOwnEvm,
  startOwnKafka,
  startOwnPostgres,
  startOwnRedis,
  type OwnPart,
  type TestFolder,
} from './own-parts';
export { testAuthority, type TestAuthority, type TestCertificate } from './certificates';
export { checkResponse } from './check-response';
export { importDocumentedEndpoints, expectDocumented } from './documented-response';
export {
  collectEvents,
  startPublisher,
  type EventCollector,
  type EventPublisher,
  type TestLog,
} from './event-log';
export {
  startReceiver,
  type ReceivedRequest,
  type Receiver,
  type ReceiverResponse,
  type Responder,
} from './receiver';
export { NotRecorded, replayClient, type Faults } from './replay-client';
export { type Misbehaviour, type ProxyNode, startProxyNode } from './proxy-node';
export { sampleExecution, sampleMove, samplePosition, sampleWallet, sampleWatch } from './sample-events';
export {
  ServiceHarness,
  type RequestOptions,
  type ServiceResponse,
  type TestedService,
} from './service-harness';
export { planNodes, type QueryPlan, rowsRead } from './query-plan';
export { startProcess, type ServiceProcess } from './service-process';
export { testAddress, TEST_ADDRESS_VARIABLES, type SharedPart, testKafka, testRedis } from './test-addresses';
export { createTestDatabase, type TestDatabase } from './test-database';
export { type SignedRequest, identityHeaders, testIdentityKeys, testServiceIdentity } from './test-identity';
export { waitFor, type WaitOptions } from './wait-for';
