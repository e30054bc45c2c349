import { useMutation } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Button } from '../design/button';
import { logOut } from './requests';

export function LogOutButton(): ReactNode {
  const router = useRouter();
  const leave = useMutation({ mutationFn: logOut, onSuccess: () => router.navigate({ to: '/log-in' }) });
  return (
    <Button size="small" isPending={leave.isPending} onPress={() => leave.mutate()}>
      Log out
    </Button>
  );
}
