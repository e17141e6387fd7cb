import { Button, Group, Modal, Stack, Textarea } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api, ask } from '../../api/client';
import { problemOf } from '../../api/problem';
import { useT } from '../../text/text';
import { ProblemAlert } from '../../ui/ask';

interface CorrectProps {
  readonly opened: boolean;
  readonly onClose: () => void;
  readonly memoryId: string;
  readonly recordId: string;
  readonly text: string;
}

export const Correct = ({ opened, onClose, memoryId, recordId, text }: CorrectProps) => {
  const t = useT();
  const queryClient = useQueryClient();
  const [memory, setMemory] = useState(text);
  const correcting = useMutation({
    mutationFn: () =>
      ask(
        api.PATCH('/memory/memories/{memoryId}/memory-records/{recordId}', {
          params: { path: { memoryId, recordId } },
          body: { memory },
        }),
      ),
    onSuccess: async () => {
      onClose();
      await queryClient.invalidateQueries({ queryKey: ['memory', memoryId] });
    },
  });
  return (
    <Modal opened={opened} onClose={onClose} title={t('correct')} closeButtonProps={{ 'aria-label': t('close') }}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          correcting.mutate();
        }}
      >
        <Stack>
          <Textarea
            label={t('memory')}
            value={memory}
            onChange={(event) => setMemory(event.currentTarget.value)}
            error={problemOf(correcting.error)?.ruleFor('memory')}
            autosize
            minRows={3}
            data-autofocus
          />
          {correcting.isError && <ProblemAlert error={correcting.error} />}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {t('cancel')}
            </Button>
            <Button type="submit" loading={correcting.isPending}>
              {t('save')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
};
