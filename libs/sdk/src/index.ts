export { Plimsoll, type PlimsollOptions } from './client';
export {
  ApiError,
  type ApiErrorCode,
  ConnectionError,
  type InvalidField,
  PlimsollError,
  type Problem,
  TimeoutError,
} from './errors';
export type { FollowedEvent, FollowOptions } from './events';
export type { ResumeOptions, StreamEvent, StreamFrame, StreamGap, StreamSnapshot } from './frames';
export type { components } from './generated/openapi';
export { List, type Page } from './list';
export type { Input, OperationId, Output } from './operation-types';
export { type Stream, StreamClosedError, type StreamFilter, type StreamOptions } from './streams';
export type { CallOptions, IncomingResponse, OutgoingRequest } from './transport';
export { type VerifyOptions, webhooks, type WebhookEvent, WebhookVerificationError } from './webhooks';
