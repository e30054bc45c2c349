export { checkAnswer } from './check-answer';
export type { Json } from './components';
export { buildOpenApiDocument, operationOf } from './document';
export type { Answer, Operation, Operations, Tag } from './operation';
export { OPERATIONS } from './operations';
export { errorCodes } from './problems';
