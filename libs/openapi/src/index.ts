export { Documented, declaredOperations, documentEndpoint } from './documented';
export { accountErrorCodes, errorCodes, isAccountPath } from './error-codes';
export { type DtoClass, type Operation, type Operations, type SuccessResponse, TAGS } from './operation';
