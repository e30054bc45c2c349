export { AllOptional, Combined, FieldsOf } from './combined';
export {
  AsSent,
  type DtoClass,
  FromText,
  type Json,
  Optional,
  dtoInstance,
  fieldsAsSent,
  IsMoment,
} from './field';
export { CHAIN_ID, Field, IsId, IsWalletSignature } from './fields';
export {
  AcceptsNames,
  MOST_NAME_CHARS,
  OR_NAME,
  WALLETS_PATTERN,
  WALLET_PATTERN,
  fieldsWithNames,
  isEnsName,
} from './names';
export { PageQuery } from './paging';
export { About, Example, exampleOf, responseSchema } from './response-schema';
export * from './samples';
export {
  CsvOf,
  FieldsQuery,
  type ListShape,
  RespondsWith,
  type Selectable,
  listShapeOf,
  responseClassOf,
  selectable,
  selectableOf,
} from './sparse';
