import { Center, Loader } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { Shell } from './shell';
import { SignIn } from './sign-in';
import { useSession } from './session';

/** Sign-in, or the page of the address: signing in does not change the address. */
export const Root = () => {
  const { caller, isStarting } = useSession();
  const queryClient = useQueryClient();
  // What one key has read must not be shown to the next.
  useEffect(() => {
    if (caller === null) queryClient.clear();
  }, [caller, queryClient]);
  if (isStarting) {
    return (
      <Center h="100vh" component="main">
        <Loader aria-label="Loading" role="status" />
      </Center>
    );
  }
  return caller === null ? <SignIn /> : <Shell />;
};
