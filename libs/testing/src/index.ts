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
export { importDocumentedEndpoints } from './documented-endpoints';
export { expectDocumented } from './documented-response';
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
export { sampleExecution } from './sample-execution';
export { sampleMove } from './sample-move';
export { samplePosition, sampleWallet, sampleWatch } from './sample-events';
export {
  ServiceHarness,
  type RequestOptions,
  type ServiceResponse,
  type TestedService,
} from './service-harness';
export { startProcess, type ServiceProcess } from './service-process';
export { testAddress, TEST_ADDRESS_VARIABLES, type SharedPart } from './test-addresses';
export { createTestDatabase, type TestDatabase } from './test-database';
export { identityHeaders, testIdentityKeys } from './test-identity';
export { testKafka, testRedis } from './test-namespaces';
export { waitFor, type WaitOptions } from './wait-for';
