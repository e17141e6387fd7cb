import {
  Anchor,
  Button,
  Group,
  NativeSelect,
  NumberInput,
  Progress,
  Stack,
  Text,
  Textarea,
  TextInput,
} from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { api, ask, type Schemas } from '../api/client';
import { useFilters, type Filters } from '../app/filters';
import { useT } from '../text/text';
import { Asked, Empty } from '../ui/ask';
import { CodeBlock, Panel, SessionLink, Tag, When } from '../ui/parts';
import { StoredText } from '../ui/stored-text';
import { MemoryHead, useStrategies } from './memory-head';

const KINDS = ['turns', 'records', 'context'] as const;
type Kind = (typeof KINDS)[number];
const kindOf = (filters: Filters): Kind => KINDS.find((kind) => kind === filters['kind']) ?? 'turns';

/** Turns against records, and the context block that a model would get. Everything is in the address. */
export const Search = () => {
  const t = useT();
  const { memoryId = '' } = useParams({ strict: false });
  const [filters, setFilters] = useFilters();
  return (
    <>
      <MemoryHead memoryId={memoryId} section="search" />
      <SearchForm key={JSON.stringify(filters)} memoryId={memoryId} filters={filters} onSearch={setFilters} />
      {filters['q'] === undefined ? <Empty title={t('searchAbout')} /> : <Hits memoryId={memoryId} filters={filters} />}
    </>
  );
};

interface SearchFormProps {
  readonly memoryId: string;
  readonly filters: Filters;
  readonly onSearch: (filters: Filters) => void;
}

const SearchForm = ({ memoryId, filters, onSearch }: SearchFormProps) => {
  const t = useT();
  const strategies = useStrategies(memoryId);
  const [draft, setDraft] = useState<Filters>({ threshold: '0', limit: '10', budget: '2000', ...filters });
  const kind = kindOf(draft);
  const set = (changes: Filters): void => setDraft({ ...draft, ...changes });
  const suggested = (strategies.data ?? []).map(({ id, namespaceTemplate }) =>
    namespaceTemplate.replaceAll('{memoryStrategyId}', id),
  );
  const number = (name: string, label: string, max: number, step = 1) => (
    <NumberInput
      label={label}
      w={130}
      min={0}
      max={max}
      step={step}
      decimalScale={step < 1 ? 2 : 0}
      hideControls
      value={draft[name] ?? ''}
      onChange={(value) => set({ [name]: String(value) })}
    />
  );
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        onSearch(draft);
      }}
    >
      <Panel>
        <Textarea
          label={t('query')}
          autosize
          minRows={1}
          required
          value={draft['q'] ?? ''}
          onChange={(event) => set({ q: event.currentTarget.value })}
          onKeyDown={(event) => {
            if (event.key === 'Enter' && !event.shiftKey) {
              event.preventDefault();
              event.currentTarget.form?.requestSubmit();
            }
          }}
        />
        <Group align="flex-end" mt="sm" gap="sm">
          <NativeSelect
            label={t('searchIn')}
            value={kind}
            onChange={(event) => set({ kind: event.currentTarget.value })}
            data={KINDS.map((value) => ({ value, label: t(value) }))}
          />
          {kind === 'records' && (
            <TextInput
              label={t('namespace')}
              required
              placeholder={suggested[0] ?? '/facts/linh'}
              value={draft['namespace'] ?? ''}
              onChange={(event) => set({ namespace: event.currentTarget.value })}
            />
          )}
          {kind !== 'records' && (
            <TextInput
              label={t('actorId')}
              required={kind === 'context'}
              placeholder="linh"
              value={draft['actor'] ?? ''}
              onChange={(event) => set({ actor: event.currentTarget.value })}
            />
          )}
          {kind !== 'context' && number('threshold', t('threshold'), 1, 0.05)}
          {kind !== 'context' && number('limit', t('limit'), 100)}
          {kind === 'context' && number('budget', t('tokenBudget'), 16_000)}
          <Button type="submit">{t('search')}</Button>
        </Group>
      </Panel>
    </form>
  );
};

interface HitsProps {
  readonly memoryId: string;
  readonly filters: Filters;
}

const Hits = (props: HitsProps) => {
  const kind = kindOf(props.filters);
  if (kind === 'turns') return <TurnHits {...props} />;
  return kind === 'records' ? <RecordHits {...props} /> : <ContextBlock {...props} />;
};

const numberOf = (value: string | undefined, fallback: number): number => {
  const number = Number(value);
  return value === undefined || value === '' || Number.isNaN(number) ? fallback : number;
};

const PARTS = [
  'context',
  'own',
  'session',
  'answersQuestion',
  'date',
  'when',
  'names',
  'opening',
  'asks',
  'meaning',
] as const;

const TurnHits = ({ memoryId, filters }: HitsProps) => {
  const t = useT();
  const { q = '', actor } = filters;
  const body = {
    query: q,
    limit: numberOf(filters['limit'], 10),
    scoreThreshold: numberOf(filters['threshold'], 0),
    explain: true,
    window: 0,
  };
  const hits = useQuery({
    queryKey: ['memory', memoryId, 'search-turns', filters],
    queryFn: () =>
      actor
        ? ask(
            api.POST('/memory/memories/{memoryId}/actors/{actorId}/events:search', {
              params: { path: { memoryId, actorId: actor } },
              body,
            }),
          )
        : ask(api.POST('/memory/memories/{memoryId}/events:search', { params: { path: { memoryId } }, body })),
  });
  return (
    <Asked query={hits}>
      {(list) =>
        list.length === 0 ? (
          <Empty title={t('nothingFound')} />
        ) : (
          <Stack gap="sm" role="list" aria-label={t('turns')}>
            {list.map((hit) => (
              <div key={hit.event.id} role="listitem">
                <Panel>
                  <Group justify="space-between" mb="xs">
                    <Group gap="xs">
                      <Tag>{hit.event.payload.role?.toLowerCase() ?? '–'}</Tag>
                      <SessionLink
                        session={{ memoryId, actorId: hit.actorId, sessionId: hit.sessionId }}
                        text={`${hit.actorId} / ${hit.sessionId} #${hit.event.sequence ?? ''}`}
                        size="xs"
                      />
                      <Text size="xs" c="dimmed">
                        <When at={hit.event.event_timestamp} />
                      </Text>
                    </Group>
                    <Score value={hit.score} />
                  </Group>
                  <StoredText text={hit.event.payload.message ?? ''} />
                  {hit.explain !== undefined && <Parts parts={hit.explain} />}
                </Panel>
              </div>
            ))}
          </Stack>
        )
      }
    </Asked>
  );
};

const Score = ({ value }: { readonly value: number | null }) => {
  const t = useT();
  return (
    <Text fw={700} size="sm">
      {t('score')} {value === null ? '–' : value.toFixed(3)}
    </Text>
  );
};

/** The parts of a score. Parts that add nothing are left out. */
const Parts = ({ parts }: { readonly parts: Schemas['TurnScoreParts'] }) => {
  const t = useT();
  const shown = PARTS.filter((part) => parts[part] !== 0);
  const most = Math.max(...shown.map((part) => Math.abs(parts[part])), Number.EPSILON);
  return (
    <Stack gap={4} mt="sm" maw={520}>
      {shown.map((part) => (
        <Part key={part} name={t(`part_${part}`)} value={parts[part]} most={most} />
      ))}
      {parts.speakerFactor !== 1 && (
        <Text size="xs">
          {t('part_speakerFactor')}: × {parts.speakerFactor.toFixed(2)}
        </Text>
      )}
    </Stack>
  );
};

const Part = ({ name, value, most }: { readonly name: string; readonly value: number; readonly most: number }) => (
  <Group gap="xs" wrap="nowrap">
    <Text size="xs" w={150}>
      {name}
    </Text>
    <Progress
      style={{ flex: 1 }}
      value={(Math.abs(value) / most) * 100}
      color={value < 0 ? 'red' : 'cyan'}
      aria-label={name}
    />
    <Text size="xs" w={56} ta="right">
      {value.toFixed(3)}
    </Text>
  </Group>
);

/** What led to a record. */
const FoundBy = ({ words, meaning, turns }: NonNullable<Schemas['MemoryRecord']['explain']>) => {
  const t = useT();
  return (
    <Stack gap={4} mt="sm" maw={520}>
      <Part name={t('part_own')} value={words} most={1} />
      {meaning !== null && <Part name={t('part_meaning')} value={meaning} most={1} />}
      <Part name={t('part_context')} value={turns} most={1} />
    </Stack>
  );
};

const RecordHits = ({ memoryId, filters }: HitsProps) => {
  const t = useT();
  const { q = '', namespace = '' } = filters;
  const hits = useQuery({
    queryKey: ['memory', memoryId, 'search-records', filters],
    queryFn: () =>
      ask(
        api.POST('/memory/memories/{memoryId}/memory-records:search', {
          params: { path: { memoryId }, query: { namespace } },
          body: {
            query: q,
            limit: numberOf(filters['limit'], 10),
            scoreThreshold: numberOf(filters['threshold'], 0),
            includeSuperseded: false,
            explain: true,
          },
        }),
      ),
  });
  return (
    <Asked query={hits}>
      {(list) =>
        list.length === 0 ? (
          <Empty title={t('nothingFound')} />
        ) : (
          <Stack gap="sm" role="list" aria-label={t('records')}>
            {list.map((record) => (
              <div key={record.id} role="listitem">
                <Panel>
                  <Group justify="space-between" align="flex-start" mb="xs">
                    <Anchor component={Link} size="sm" to={`/memories/${memoryId}/records/${record.id}`}>
                      {t('why')}
                    </Anchor>
                    <Score value={record.score} />
                  </Group>
                  <StoredText text={record.memory} />
                  {record.explain !== undefined && <FoundBy {...record.explain} />}
                </Panel>
              </div>
            ))}
          </Stack>
        )
      }
    </Asked>
  );
};

const ContextBlock = ({ memoryId, filters }: HitsProps) => {
  const t = useT();
  const { q = '', actor = '' } = filters;
  const context = useQuery({
    queryKey: ['memory', memoryId, 'context', filters],
    queryFn: () =>
      ask(
        api.POST('/memory/memories/{memoryId}/actors/{actorId}/context', {
          params: { path: { memoryId, actorId: actor } },
          body: { query: q, budget: numberOf(filters['budget'], 2_000) },
        }),
      ),
  });
  return (
    <Asked query={context}>
      {({ text, tokens, items }) => (
        <Panel title={t('contextBlock')}>
          <Text size="sm" mb="xs">
            {t('tokens', { n: tokens.toLocaleString(), items: items.length })}
          </Text>
          <CodeBlock text={text} />
        </Panel>
      )}
    </Asked>
  );
};
