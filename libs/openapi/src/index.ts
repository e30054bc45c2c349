export { checkAccountAnswer, checkAnswer } from './check-answer';
export type { Json } from './components';
export { buildOpenApiDocument, operationOf } from './document';
export type { AccountOperation, AccountOperations, Answer, Operation, Operations, Tag } from './operation';
export { ACCOUNT_OPERATIONS, OPERATIONS } from './operations';
export { errorCodes } from './problems';
