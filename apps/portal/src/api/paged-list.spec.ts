import { setImmediate } from 'node:timers/promises';
import {
  InfiniteQueryObserver,
  QueryClient,
  focusManager,
  infiniteQueryOptions,
  onlineManager,
} from '@tanstack/react-query';
import { freshWhilePaged, isPaged, readFirstPage } from './paged-list';

describe('a list', () => {
  const queries = new QueryClient();
  const queryKey = ['list'];
  let reads: number[] = [];
  let missing = -1;
  const list = new InfiniteQueryObserver(
    queries,
    infiniteQueryOptions({
      queryKey,
      queryFn: async ({ pageParam }) => {
        reads.push(pageParam);
        if (pageParam === missing) throw new Error('missing');
        return pageParam;
      },
      initialPageParam: 0,
      getNextPageParam: (last) => last + 1,
      retry: false,
      staleTime: (query) => (freshWhilePaged(query) === 'static' ? 'static' : 0),
    }),
  );
  const pages = (): unknown => list.getCurrentResult().data?.pages;
  const isPagedNow = (): boolean => isPaged(list.getCurrentQuery());
  let leave: () => void;

  /** Returns what is read when the window gets the focus, and then the network. */
  async function comeBack(): Promise<number[]> {
    reads = [];
    focusManager.setFocused(false);
    focusManager.setFocused(true);
    await setImmediate();
    onlineManager.setOnline(false);
    onlineManager.setOnline(true);
    await setImmediate();
    return reads;
  }

  beforeEach(async () => {
    missing = -1;
    queries.mount();
    leave = list.subscribe(() => {});
    await list.refetch();
  });
  afterEach(() => {
    leave();
    queries.unmount();
    queries.clear();
    focusManager.setFocused(undefined);
  });

  it('is read again at each return, while it has one page', async () => {
    expect([isPagedNow(), pages(), await comeBack()]).toEqual([false, [0], [0, 0]]);
  });

  it('is not read again once it has older pages, until it is cut to its first', async () => {
    await list.fetchNextPage();
    await list.fetchNextPage();
    expect([isPagedNow(), pages(), await comeBack()]).toEqual([true, [0, 1, 2], []]);
    await readFirstPage(queries, queryKey);
    expect([isPagedNow(), pages(), reads]).toEqual([false, [0], [0]]);
  });

  it('is not read again while an older page is missing, which only its button reads', async () => {
    missing = 1;
    await list.fetchNextPage();
    expect([isPagedNow(), list.getCurrentResult().isFetchNextPageError, await comeBack()]).toEqual([
      true,
      true,
      [],
    ]);
    missing = -1;
    await list.fetchNextPage();
    expect([isPagedNow(), pages(), reads]).toEqual([true, [0, 1], [1]]);
  });
});
