export { Plimsoll, type PlimsollOptions } from './client';
export {
  ApiError,
  ConnectionError,
  type InvalidField,
  PlimsollError,
  type Problem,
  TimeoutError,
} from './errors';
export { type FollowOptions, followEvents } from './events';
export type { components } from './generated/openapi';
export { List, type Page } from './list';
export type { Input, OperationId, Output } from './operation-types';
export {
  openStream,
  StreamClosedError,
  type StreamEvent,
  type StreamFilter,
  type StreamFrame,
  type StreamGap,
  type StreamName,
  type StreamOptions,
  type StreamSnapshot,
} from './streams';
export type { CallOptions, IncomingResponse, OutgoingRequest } from './transport';
export { type VerifyOptions, verifyWebhook, type WebhookEvent, WebhookVerificationError } from './webhooks';
