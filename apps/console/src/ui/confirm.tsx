import { Button, Code, Group, Modal, Stack, Text, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useT } from '../text/text';
import { ProblemAlert } from './ask';

interface ConfirmByNameProps {
  readonly opened: boolean;
  readonly onClose: () => void;
  /** Must be typed to enable the button. */
  readonly name: string;
  readonly title: string;
  readonly warning: string;
  readonly action: string;
  readonly run: () => Promise<unknown>;
}

/** Asks for the name of what is about to be deleted. */
export const ConfirmByName = ({ opened, onClose, name, title, warning, action, run }: ConfirmByNameProps) => {
  const t = useT();
  const [typed, setTyped] = useState('');
  const running = useMutation({ mutationFn: run, onSuccess: onClose });
  const close = (): void => {
    setTyped('');
    running.reset();
    onClose();
  };
  return (
    <Modal opened={opened} onClose={close} title={title} closeButtonProps={{ 'aria-label': t('close') }}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (typed === name) running.mutate();
        }}
      >
        <Stack>
          <Text size="sm">{warning}</Text>
          <Text size="sm">
            {t('typeToConfirm')} <Code>{name}</Code>
          </Text>
          <TextInput
            data-autofocus
            aria-label={t('nameToConfirm')}
            value={typed}
            onChange={(event) => setTyped(event.currentTarget.value)}
            autoComplete="off"
          />
          {running.isError && <ProblemAlert error={running.error} />}
          <Group justify="flex-end">
            <Button variant="default" onClick={close}>
              {t('cancel')}
            </Button>
            <Button type="submit" color="red" disabled={typed !== name} loading={running.isPending}>
              {action}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
};
