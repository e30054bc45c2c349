export { checkResponse } from './check-response';
export type { Json } from './components';
export { allOperations, buildOpenApiDocument } from './document';
export { Documented, documentEndpoint } from './documented';
export type { Documentation, SuccessResponse, Operation, Operations, Tag } from './operation';
export { ACCOUNT_OPERATIONS } from './operations';
export { errorCodes } from './problems';
