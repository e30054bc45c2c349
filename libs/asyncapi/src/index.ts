export { buildEventsDocument } from './events-document';
export { buildStreamsDocument } from './streams-document';
