import { Reader } from '../protocol/reader';
import { isFlexible, type Api } from '../protocol/schema';
import { Writer } from '../protocol/writer';

/** The context of a request beside its fields. */
export interface RequestContext {
  clientId: string;
  /** The form of DescribeGroups: a slash and the address. */
  clientHost: string;
  /** The version of the API. */
  version: number;
  /** Called when the response has left the process, or cannot. */
  onSent(release: () => void): void;
}

/** An API with its handler. */
export interface BoundApi {
  readonly api: Pick<Api<unknown, unknown>, 'key' | 'name' | 'minVersion' | 'maxVersion' | 'flexibleSince'>;
  /** Decodes the request, handles it and encodes the response. Undefined when the client expects none. */
  handle(reader: Reader, context: RequestContext): Promise<Writer | undefined>;
}

export function bindApi<Request, Response>(
  api: Api<Request, Response>,
  answer: (request: Request, context: RequestContext) => Response | undefined | Promise<Response | undefined>,
): BoundApi {
  return {
    api,
    handle: async (reader, context) => {
      const response = await answer(api.request.read(reader), context);
      if (response === undefined) return undefined;
      const writer = new Writer(context.version, isFlexible(api, context.version));
      api.response.write(writer, response);
      return writer;
    },
  };
}
