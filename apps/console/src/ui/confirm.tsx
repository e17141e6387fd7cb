import { Button, Code, Group, Modal, Stack, Text, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useT } from '../text/text';
import { ProblemAlert } from './ask';

interface ConfirmButtonProps {
  /** Text of the button that opens the dialog. */
  readonly label: string;
  /** Must be typed to enable the button of the dialog. */
  readonly name: string;
  /** Of the dialog. Default: the label. */
  readonly title?: string;
  readonly warning: string;
  /** Text of the button in the dialog. Default: the label. */
  readonly action?: string;
  readonly run: () => Promise<unknown>;
  /** In a row of a table. */
  readonly compact?: boolean;
  readonly disabled?: boolean;
}

/** A button that asks for the name of what is about to be deleted. */
export const ConfirmButton = (props: ConfirmButtonProps) => {
  const { label, name, title = label, warning, action = label, run, compact = false, disabled = false } = props;
  const t = useT();
  const [opened, { open, close: hide }] = useDisclosure();
  const [typed, setTyped] = useState('');
  const running = useMutation({ mutationFn: run, onSuccess: () => close() });
  const close = (): void => {
    setTyped('');
    running.reset();
    hide();
  };
  return (
    <>
      <Button
        color="red"
        variant="outline"
        disabled={disabled}
        onClick={open}
        {...(compact ? { size: 'compact-sm' } : {})}
      >
        {label}
      </Button>
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
    </>
  );
};
