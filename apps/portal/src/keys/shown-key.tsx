import { type UseMutationResult, useMutation, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, createContext, use, useMemo, useState } from 'react';
import { type NewKey, keysQuery } from './requests';

interface ShownKeyValue {
  shown: NewKey | null;
  show: (key: NewKey) => void;
}

const ShownKeyContext = createContext<ShownKeyValue>({ shown: null, show: () => {} });

/** Keeps the newest key of this visit in memory, so that snippets contain it. A reload forgets it. */
export function ShownKeyProvider({ children }: { children: ReactNode }): ReactNode {
  const [shown, show] = useState<NewKey | null>(null);
  const value = useMemo(() => ({ shown, show }), [shown]);
  return <ShownKeyContext value={value}>{children}</ShownKeyContext>;
}

export const useShownKey = (): ShownKeyValue => use(ShownKeyContext);

/** A request that makes a key, which is then shown. The list of keys is read again. */
export function useNewKey<Variables>(
  request: (variables: Variables) => Promise<NewKey>,
): UseMutationResult<NewKey, Error, Variables> {
  const { show } = useShownKey();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: request,
    onSuccess: (key) => {
      show(key);
      return queries.invalidateQueries({ queryKey: keysQuery.queryKey });
    },
  });
}
