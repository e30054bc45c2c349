export { AllOptional, Combined, FieldsOf } from './combined';
export { type DtoClass, type Json, Optional, dtoInstance } from './field';
export { CHAIN_ID, Field } from './fields';
export { IsMoment } from './moment';
export { PageQuery } from './paging';
export { About, Example, exampleOf, responseSchema } from './response-schema';
export * from './samples';
export { WALLET_SIGNATURE } from './wallet-signature';
