import { Anchor, Badge, Blockquote, Button, Group, List, SimpleGrid, Stack, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { api, ask, type Schemas } from '../../api/client';
import { useChange } from '../../api/use-change';
import { useGet } from '../../api/use-get';
import { useSession } from '../../app/session';
import { useT } from '../../text/text';
import { Asked, ProblemAlert } from '../../ui/ask';
import { ConfirmButton } from '../../ui/confirm';
import { FormDialog } from '../../ui/form-dialog';
import { CodeBlock, Fact, Id, Panel, Role, SessionLink, Status, When } from '../../ui/parts';
import { StoredText } from '../../ui/stored-text';
import { MemoryHead } from '../memory-head';
import { Attribute, eventTimeOf } from './list';

type Explanation = Schemas['RecordExplanation'];

/** Why a record exists: its sources, the runs that made it, and what it replaced. */
export const Why = () => {
  const t = useT();
  const { can } = useSession();
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const { memoryId = '', recordId = '' } = useParams({ strict: false });
  const path = { memoryId, recordId };
  const explained = useGet(
    ['memory', memoryId, 'record', recordId],
    '/memory/memories/{memoryId}/memory-records/{recordId}/explain',
    { path },
  );
  const change = useChange('memory', memoryId);
  const reinstating = useMutation({
    mutationFn: () =>
      change(api.POST('/memory/memories/{memoryId}/memory-records/{recordId}:reinstate', { params: { path } })),
  });
  const correct = ({ memory = '' }: Readonly<Record<string, string>>) => {
    const options = { params: { path }, body: { memory } };
    return change(api.PATCH('/memory/memories/{memoryId}/memory-records/{recordId}', options));
  };
  const remove = async (): Promise<void> => {
    await ask(
      api.DELETE('/memory/memories/{memoryId}/memory-records/{recordId}', { params: { path }, parseAs: 'text' }),
    );
    await navigate({ to: `/memories/${memoryId}/records` as never });
    queryClient.removeQueries({ queryKey: ['memory', memoryId, 'record', recordId] });
    await queryClient.invalidateQueries({ queryKey: ['memory', memoryId] });
  };
  // Not `isSuccess`: an open dialog stays when a later fetch fails.
  const mayWrite = can('memory:write') && explained.data !== undefined;
  const mayDelete = can('memory:delete') && explained.data !== undefined;
  return (
    <>
      <MemoryHead
        memoryId={memoryId}
        section="records"
        trail={[{ label: t('records'), to: `/memories/${memoryId}/records` }]}
        title={t('why')}
      >
        {mayWrite && (
          <>
            {explained.data.record.supersededBy !== null && (
              <Button variant="default" loading={reinstating.isPending} onClick={() => reinstating.mutate()}>
                {t('reinstate')}
              </Button>
            )}
            <FormDialog
              title={t('correct')}
              action={t('save')}
              fields={[{ name: 'memory', label: t('memory'), kind: 'lines', initial: explained.data.record.memory }]}
              run={correct}
            />
          </>
        )}
        {mayDelete && (
          <ConfirmButton
            label={t('delete')}
            name={recordId}
            title={t('deleteRecord')}
            warning={t('deleteRecordWarning')}
            run={remove}
          />
        )}
      </MemoryHead>
      {reinstating.isError && <ProblemAlert error={reinstating.error} />}
      <Asked query={explained}>
        {(explanation) => (
          <>
            <Belief explanation={explanation} />
            <Sources memoryId={memoryId} sources={explanation.sources} />
            <Lineage memoryId={memoryId} title={t('replaces')} links={explanation.supersedes} />
            <Lineage memoryId={memoryId} title={t('replacedBy')} links={explanation.supersededBy} />
            {explanation.runs.map((run) => (
              <Run key={run.eventId} run={run} />
            ))}
            <Changes changes={explanation.changes} />
          </>
        )}
      </Asked>
    </>
  );
};

const Belief = ({ explanation: { record } }: { readonly explanation: Explanation }) => {
  const t = useT();
  return (
    <Panel>
      <Blockquote p="sm" mb="md" mt={0}>
        <StoredText text={record.memory} />
      </Blockquote>
      <SimpleGrid cols={{ base: 1, xs: 2, md: 4 }}>
        <Fact label={t('category')}>{record.category === null ? '–' : <Status value={record.category} />}</Fact>
        <Fact label={t('attribute')}>{record.attribute === null ? '–' : <Attribute {...record.attribute} />}</Fact>
        <Fact label={t('subject')}>{record.subject ?? '–'}</Fact>
        <Fact label={t('doubts')}>{record.doubts.length === 0 ? '–' : record.doubts.join(', ')}</Fact>
        <Fact label={t('strength')}>{record.strength === null ? '–' : <Status value={record.strength} />}</Fact>
        {record.data !== null && (
          <Fact label={t('recordData')}>
            <CodeBlock text={JSON.stringify(record.data, null, 2)} />
          </Fact>
        )}
        <Fact label={t('timesSeen')}>{record.timesSeen}</Fact>
        <Fact label={t('saidAt')}>
          <When at={record.saidAt} />
        </Fact>
        <Fact label={t('eventTime')}>{eventTimeOf(record.eventTime)}</Fact>
        <Fact label={t('namespace')}>
          <Id>{record.namespace}</Id>
        </Fact>
        <Fact label={t('extractor')}>
          {record.model === null ? record.extractor : `${record.extractor} (${record.model})`}
        </Fact>
        <Fact label={t('recordId')}>
          <Id>{record.id}</Id>
        </Fact>
        <Fact label={t('status')}>{t(record.supersededBy === null ? 'current' : 'superseded')}</Fact>
      </SimpleGrid>
    </Panel>
  );
};

interface SourcesProps {
  readonly memoryId: string;
  readonly sources: Explanation['sources'];
}

const Sources = ({ memoryId, sources }: SourcesProps) => {
  const t = useT();
  return (
    <Panel title={t('sources')}>
      {sources.length === 0 && <Text size="sm">{t('noSources')}</Text>}
      <Stack gap="md">
        {sources.map((source) => (
          <div key={`${source.eventId} ${source.quote}`}>
            <Group gap="xs" mb={4}>
              <Role role={source.role} />
              {source.context && (
                <Badge variant="light" tt="none" color="gray">
                  {t('sourceContext')}
                </Badge>
              )}
              <Text size="xs" c="dimmed" component="div">
                #{source.sequence} · <When at={source.at} />
              </Text>
              {source.actorId !== null && source.sessionId !== null && (
                <SessionLink session={{ memoryId, actorId: source.actorId, sessionId: source.sessionId }} size="xs" />
              )}
            </Group>
            {source.content === null ? (
              <Stack gap={2}>
                <StoredText text={source.quote} quotes={[source.quote]} />
                <Text size="xs" c="dimmed">
                  {t(source.state === 'expired' ? 'turnExpired' : 'turnErased')}
                </Text>
              </Stack>
            ) : (
              <StoredText text={source.content} quotes={[source.quote]} />
            )}
          </div>
        ))}
      </Stack>
    </Panel>
  );
};

interface LineageProps {
  readonly memoryId: string;
  readonly title: string;
  readonly links: Explanation['supersedes'];
}

const Lineage = ({ memoryId, title, links }: LineageProps) =>
  links.length === 0 ? null : (
    <Panel title={title}>
      <List size="sm">
        {links.map(({ id, memory, statedAt }) => (
          <List.Item key={id}>
            <Anchor component={Link} to={`/memories/${memoryId}/records/${id}`} size="sm" underline="always">
              <StoredText inline text={memory} />
            </Anchor>{' '}
            <Text size="xs" c="dimmed" span>
              <When at={statedAt} />
            </Text>
          </List.Item>
        ))}
      </List>
    </Panel>
  );

const Run = ({ run }: { readonly run: Explanation['runs'][number] }) => {
  const t = useT();
  const texts = [
    { label: t('customPrompt'), text: run.strategy?.customFactExtractionPrompt ?? null },
    { label: t('prompt'), text: run.prompt },
    { label: t('rawAnswer'), text: run.rawAnswer },
  ];
  return (
    <Panel title={`${t('run')}: ${run.did.map((did) => t(`did_${did}`)).join(', ')}`}>
      <SimpleGrid cols={{ base: 1, xs: 2, md: 4 }} mb="sm">
        <Fact label={t('strategy')}>
          <StoredText inline text={`${run.strategy?.name ?? run.strategyId} (v${run.strategyVersion})`} />
        </Fact>
        <Fact label={t('extractor')}>{run.model === null ? run.extractor : `${run.extractor} (${run.model})`}</Fact>
        <Fact label={t('readTurns')}>
          #{run.fromSequence} – #{run.toSequence}
        </Fact>
        <Fact label={t('recordedAt')}>
          <When at={run.recordedAt} />
        </Fact>
      </SimpleGrid>
      {texts.map(({ label, text }) =>
        text === null ? null : (
          <details key={label}>
            <summary>
              <Text size="sm" span>
                {label}
              </Text>
            </summary>
            <CodeBlock text={text} />
          </details>
        ),
      )}
      {run.prompt === null && run.rawAnswer === null && (
        <Text size="sm" c="dimmed">
          {t('noModel')}
        </Text>
      )}
    </Panel>
  );
};

const Changes = ({ changes }: { readonly changes: Explanation['changes'] }) => {
  const t = useT();
  if (changes.length === 0) return null;
  return (
    <Panel title={t('changes')}>
      <List size="sm">
        {changes.map(({ eventId, recordedAt, kind }) => (
          <List.Item key={eventId}>
            {t(`change_${kind}`)} · <When at={recordedAt} />
          </List.Item>
        ))}
      </List>
    </Panel>
  );
};
