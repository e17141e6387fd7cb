import { Button, Group, NumberInput, Stack, Textarea, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { api, ask } from '../../api/client';
import { problemOf } from '../../api/problem';
import { useT } from '../../text/text';
import { FormEnd } from '../../ui/form-end';
import { PageHead, Panel } from '../../ui/parts';
import { bodyOf, newStrategy, StrategyFields, type StrategyDraft } from './strategy-fields';

/** The steps of "Create a Memory Store", in the same order. */
export const NewMemory = () => {
  const t = useT();
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const [name, setName] = useState('');
  const [description, setDescription] = useState('');
  const [expiry, setExpiry] = useState<number | string>(30);
  const [strategies, setStrategies] = useState<readonly StrategyDraft[]>([]);
  const creating = useMutation({
    mutationFn: () =>
      ask(
        api.POST('/memory/memories', {
          body: {
            name,
            description,
            eventExpiryDuration: expiry as number,
            longTermMemoryStrategies: strategies.map(bodyOf),
          },
        }),
      ),
    onSuccess: async ({ id }) => {
      await queryClient.invalidateQueries({ queryKey: ['memories'] });
      await navigate({ to: `/memories/${id}` as never });
    },
  });
  const rule = (field: string): string | null => problemOf(creating.error)?.ruleFor(field) ?? null;
  const change = (index: number, changes: Partial<StrategyDraft>): void =>
    setStrategies(strategies.map((each, at) => (at === index ? { ...each, ...changes } : each)));
  return (
    <>
      <PageHead title={t('createMemory')} />
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          creating.mutate();
        }}
      >
        <Stack maw={760} gap={0}>
          <Panel>
            <Stack>
              <TextInput
                label={t('name')}
                description={t('nameAbout')}
                placeholder="customer-support-memory"
                value={name}
                onChange={(event) => setName(event.currentTarget.value)}
                error={rule('name')}
                data-autofocus
              />
              <Textarea
                label={t('description')}
                description={t('optional')}
                value={description}
                onChange={(event) => setDescription(event.currentTarget.value)}
                error={rule('description')}
                autosize
                minRows={2}
              />
            </Stack>
          </Panel>
          <Panel title={t('shortTermMemory')}>
            <NumberInput
              label={t('eventExpiryDuration')}
              description={t('eventExpiryAbout')}
              value={expiry}
              onChange={setExpiry}
              error={rule('eventExpiryDuration')}
              hideControls
              maw={240}
            />
          </Panel>
          <Panel title={t('strategies')}>
            <Stack>
              {strategies.map((strategy, index) => (
                <StrategyFields
                  key={strategy.key}
                  number={index + 1}
                  strategy={strategy}
                  onChange={(changes) => change(index, changes)}
                  onRemove={() => setStrategies(strategies.filter((_, at) => at !== index))}
                  ruleFor={(field) => rule(`longTermMemoryStrategies.${index}.${field}`)}
                />
              ))}
              <Group>
                <Button
                  variant="default"
                  onClick={() => setStrategies([...strategies, newStrategy(strategies.length)])}
                >
                  {t('addStrategy')}
                </Button>
              </Group>
            </Stack>
          </Panel>
          <FormEnd creating={creating} onCancel={() => void navigate({ to: '/memories' })} />
        </Stack>
      </form>
    </>
  );
};
