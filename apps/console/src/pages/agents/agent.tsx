import { Group, SimpleGrid, Stack, Text } from '@mantine/core';
import { useParams } from '@tanstack/react-router';
import { api } from '../../api/client';
import { useChange } from '../../api/use-change';
import { useGet } from '../../api/use-get';
import { useSession } from '../../app/session';
import { useT } from '../../text/text';
import { Asked, Empty } from '../../ui/ask';
import { ConfirmButton } from '../../ui/confirm';
import { CodeBlock, Fact, Id, PageHead, Panel, Role, SessionLink, Status, Tag, When } from '../../ui/parts';
import { StoredText } from '../../ui/stored-text';

export const Agent = () => {
  const t = useT();
  const { can } = useSession();
  const { agentId = '' } = useParams({ strict: false });
  const change = useChange('agent', agentId);
  const params = { path: { agentId } };
  const agent = useGet(['agent', agentId], '/v1/agents/{agentId}', { ...params, refetchInterval: 5_000 });
  const stop = () => change(api.POST('/v1/agents/{agentId}/stop', { params, body: {} }));
  return (
    <Asked query={agent}>
      {(found) => (
        <>
          <PageHead title={<StoredText inline text={found.name} />} about={<Id>{found.id}</Id>}>
            {can('agents:write') && found.status === 'running' && (
              <ConfirmButton label={t('stopAgent')} name={found.name} warning={t('stopAgentWarning')} run={stop} />
            )}
          </PageHead>
          <Panel>
            <SimpleGrid cols={{ base: 1, xs: 2, md: 4 }}>
              <Fact label={t('status')}>
                <Status value={found.status} />
              </Fact>
              <Fact label={t('session')}>
                <SessionLink session={found} text={`${found.actorId} / ${found.sessionId}`} />
              </Fact>
              <Fact label={t('startedAt')}>
                <When at={found.startedAt} />
              </Fact>
              <Fact label={t('stoppedAt')}>
                <When at={found.stoppedAt} />
                {found.stopReason !== null && <StoredText text={found.stopReason} />}
              </Fact>
            </SimpleGrid>
          </Panel>
          <History agentId={agentId} />
          <LlmRequest agentId={agentId} />
        </>
      )}
    </Asked>
  );
};

const History = ({ agentId }: { readonly agentId: string }) => {
  const t = useT();
  const history = useGet(['agent', agentId, 'history'], '/v1/agents/{agentId}/history', {
    path: { agentId },
    refetchInterval: 5_000,
  });
  return (
    <Panel title={t('history')}>
      <Asked query={history}>
        {({ contents, truncated }) =>
          contents.length === 0 ? (
            <Empty title={t('noTurns')} />
          ) : (
            <Stack gap="sm">
              {truncated && <Text size="sm">{t('historyTruncated')}</Text>}
              {contents.map(({ role, content, turn_id: turnId, metadata }, index) => (
                <div key={index}>
                  <Group gap="xs" mb={2}>
                    <Role role={role} />
                    {turnId !== undefined && (
                      <Text size="xs" c="dimmed">
                        {t('turnN', { n: turnId })}
                      </Text>
                    )}
                    {metadata?.['interrupted'] === true && <Tag color="grape">{t('interrupted')}</Tag>}
                  </Group>
                  <StoredText text={content ?? ''} />
                  {typeof metadata?.['original'] === 'string' && metadata['original'] !== content && (
                    <details>
                      <summary>
                        <Text size="xs" span>
                          {t('generatedText')}
                        </Text>
                      </summary>
                      <StoredText text={metadata['original']} />
                    </details>
                  )}
                </div>
              ))}
            </Stack>
          )
        }
      </Asked>
    </Panel>
  );
};

const LlmRequest = ({ agentId }: { readonly agentId: string }) => {
  const t = useT();
  const request = useGet(['agent', agentId, 'llm-request'], '/v1/agents/{agentId}/llm-request', { path: { agentId } });
  return (
    <Panel title={t('llmRequest')}>
      <Asked query={request} rows={2}>
        {(body) => <CodeBlock text={JSON.stringify(body, null, 2)} />}
      </Asked>
    </Panel>
  );
};
