export { checkAccountResponse, checkResponse } from './check-response';
export type { Json } from './components';
export { buildOpenApiDocument, operationOf } from './document';
export type {
  AccountOperation,
  AccountOperations,
  SuccessResponse,
  Operation,
  Operations,
  Tag,
} from './operation';
export { ACCOUNT_OPERATIONS, OPERATIONS } from './operations';
export { errorCodes } from './problems';
