import { Button, Group } from '@mantine/core';
import type { UseMutationResult } from '@tanstack/react-query';
import { useT } from '../text/text';
import { ProblemAlert } from './ask';

interface FormEndProps {
  readonly creating: Pick<UseMutationResult, 'error' | 'isError' | 'isPending'>;
  readonly onCancel: () => void;
  /** Text of the button that sends the form. Default: Create. */
  readonly action?: string;
}

/** The end of a form that creates something: what went wrong, and its buttons. */
export const FormEnd = ({ creating, onCancel, action }: FormEndProps) => {
  const t = useT();
  return (
    <>
      {creating.isError && <ProblemAlert error={creating.error} />}
      <Group justify="flex-end">
        <Button variant="default" onClick={onCancel}>
          {t('cancel')}
        </Button>
        <Button type="submit" loading={creating.isPending}>
          {action ?? t('create')}
        </Button>
      </Group>
    </>
  );
};
