import { Anchor, Group, Paper, Skeleton, Stack, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useT } from '../../text/text';
import { CodeBlock, Role, Tag, When } from '../../ui/parts';
import { StoredText } from '../../ui/stored-text';
import type { Turn } from './use-turns';
import classes from './sessions.module.css';

interface Quote {
  readonly recordId: string;
  readonly memory: string;
  readonly quote: string;
}

interface TurnViewProps {
  readonly memoryId: string;
  /** Undefined while its page loads. */
  readonly turn: Turn | undefined;
  readonly quotes: readonly Quote[];
  /** The part of an interrupted message that was heard; undefined if it was not interrupted. */
  readonly heard: string | undefined;
  /** All automatic strategies have read it. */
  readonly isRead: boolean;
}

const textOf = (value: unknown): string | null => (typeof value === 'string' ? value : null);

/** One turn: who said what and when, and what was remembered from it. */
export const TurnView = ({ memoryId, turn, quotes, heard, isRead }: TurnViewProps) => {
  const t = useT();
  if (turn === undefined) return <Skeleton height={64} radius="md" />;
  const { payload, metadata = {}, toolCalls = [] } = turn;
  const role = payload.role?.toLowerCase() ?? payload.type.toLowerCase();
  const speaker = textOf(metadata['speaker']) ?? textOf(metadata['name']);
  const generated = heard === undefined ? null : (payload.message ?? '');
  return (
    <Paper withBorder p="sm" radius="md" className={role === 'user' ? classes['user'] : undefined}>
      <Group gap="xs" mb={4} justify="space-between">
        <Group gap="xs">
          <Role role={role} />
          {speaker !== null && <StoredText inline text={speaker} />}
          {heard !== undefined && <Tag color="grape">{t('interrupted')}</Tag>}
          {isRead && <Tag color="teal">{t('read')}</Tag>}
        </Group>
        <Text size="xs" c="dimmed" component="div">
          {turn.sequence !== null && <>#{turn.sequence} · </>}
          {turn.turnId !== undefined && <>{t('turnN', { n: turn.turnId })} · </>}
          <When at={turn.event_timestamp} />
        </Text>
      </Group>
      {payload.message !== undefined && (
        <StoredText text={heard ?? payload.message} quotes={quotes.map(({ quote }) => quote)} />
      )}
      {payload.binaryData !== undefined && (
        <Text size="sm">{t('binary', { n: payload.binaryData.length.toLocaleString() })}</Text>
      )}
      {generated !== null && generated !== heard && (
        <details className={classes['fold']}>
          <summary>{t('generatedText')}</summary>
          <StoredText text={generated} />
        </details>
      )}
      {toolCalls.length > 0 && (
        <details className={classes['fold']}>
          <summary>{t('toolCalls', { n: toolCalls.length })}</summary>
          <CodeBlock text={JSON.stringify(toolCalls, null, 2)} />
        </details>
      )}
      {Object.keys(metadata).length > 0 && (
        <details className={classes['fold']}>
          <summary>{t('metadata')}</summary>
          <CodeBlock text={JSON.stringify(metadata, null, 2)} />
        </details>
      )}
      {quotes.length > 0 && (
        <Stack gap={2} mt="xs">
          {quotes.map(({ recordId, memory }) => (
            <Group key={recordId} gap={4}>
              <Text size="xs" span c="dimmed">
                {t('remembered')}
              </Text>
              <Anchor component={Link} to={`/memories/${memoryId}/records/${recordId}`} size="xs" underline="always">
                <StoredText inline text={memory} />
              </Anchor>
            </Group>
          ))}
        </Stack>
      )}
    </Paper>
  );
};
