export { Documented, declaredOperations, documentEndpoint } from './documented';
export { errorCodes, isOutsidePath, outsideErrorCodes } from './error-codes';
export { type DtoClass, type Operation, type Operations, type SuccessResponse, TAGS } from './operation';
