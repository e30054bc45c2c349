import { ApiError, ConnectionError, type Problem } from '@plimsoll/sdk';

/** Pages of one file. */
const MOST_PAGES = 50;
const NEXT = /<([^>]+)>;\s*rel="next"/;
const LINE = '\r\n';

/** Sends the request of a page, with its path and query. */
type ReadPage = (path: string) => Promise<Response>;

export interface CsvFile {
  text: string;
  /** Whether parts could not be read, so that the file may lack rows. */
  isIncomplete: boolean;
  /** Whether the list has more pages than a file. */
  isCut: boolean;
}

/** Reads every page of a list as CSV, as the API sends it. The line of names is that of the first page. */
export async function csvOf(path: string, read: ReadPage): Promise<CsvFile> {
  const file: CsvFile = { text: '', isIncomplete: false, isCut: false };
  let next: string | undefined = path;
  for (let page = 0; next !== undefined; page += 1) {
    if (page === MOST_PAGES) return { ...file, isCut: true };
    const response = await pageOf(next, read);
    const text = await response.text();
    file.text += page === 0 ? text : text.slice(text.indexOf(LINE) + LINE.length);
    file.isIncomplete ||= response.headers.has('x-unreadable');
    next = NEXT.exec(response.headers.get('link') ?? '')?.[1];
  }
  return file;
}

async function pageOf(path: string, read: ReadPage): Promise<Response> {
  const response = await read(path).catch((error: unknown) => {
    throw new ConnectionError('The list cannot be read as CSV.', error);
  });
  if (response.ok) return response;
  const problem = (await response.json().catch(() => ({}))) as Problem;
  const waitSeconds = Number(response.headers.get('retry-after') ?? Number.NaN);
  throw new ApiError(
    response.status,
    problem,
    response.headers.get('x-request-id'),
    Number.isFinite(waitSeconds) ? waitSeconds * 1_000 : null,
  );
}

/** Lets the browser save a text as a file. */
export function save(text: string, name: string, type = 'text/csv'): void {
  const url = URL.createObjectURL(new Blob([text], { type }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
}
