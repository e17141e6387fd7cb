import {
  Button,
  Code,
  Fieldset,
  Group,
  List,
  NativeSelect,
  Stack,
  Switch,
  Text,
  Textarea,
  TextInput,
} from '@mantine/core';
import type { Schemas } from '../../api/client';
import { useT } from '../../text/text';

type StrategyType = Schemas['Strategy']['type'];
const TYPES = Object.keys({
  SEMANTIC: true,
  USER_PREFERENCE: true,
  CUSTOM: true,
  SUMMARY: true,
  EPISODIC: true,
} satisfies Record<StrategyType, true>) as StrategyType[];

export interface StrategyDraft {
  /** Identity in the form only. */
  readonly key: number;
  readonly name: string;
  readonly type: StrategyType;
  readonly namespaceTemplate: string;
  readonly isAutomatic: boolean;
  readonly prompt: string;
  /** JSON as typed. */
  readonly outputSchema: string;
}

let keys = 0;

export const newStrategy = (existing: number): StrategyDraft => ({
  key: (keys += 1),
  name: existing === 0 ? 'semantic-facts' : '',
  type: 'SEMANTIC',
  namespaceTemplate: '/strategies/{memoryStrategyId}/actors/{actorId}',
  isAutomatic: true,
  prompt: '',
  outputSchema: '',
});

/** As the types of a request have it. */
type FreeJson = Record<string, undefined>;

/** What was typed if it is no JSON, so that the API says what is wrong with it. */
const schemaOf = (typed: string): FreeJson => {
  try {
    return JSON.parse(typed) as FreeJson;
  } catch {
    return typed as never;
  }
};

export const bodyOf = ({ name, type, namespaceTemplate, isAutomatic, prompt, outputSchema }: StrategyDraft) => ({
  name,
  type,
  namespaceTemplate,
  enableAutomaticMemoryRecordGeneration: isAutomatic,
  ...(type === 'CUSTOM' ? { customFactExtractionPrompt: prompt } : {}),
  ...(type === 'CUSTOM' && outputSchema.trim() !== '' ? { outputSchema: schemaOf(outputSchema) } : {}),
});

interface StrategyFieldsProps {
  readonly number: number;
  readonly strategy: StrategyDraft;
  readonly onChange: (changes: Partial<StrategyDraft>) => void;
  readonly onRemove: () => void;
  /** What the API said about a field of this strategy. */
  readonly ruleFor: (field: string) => string | null;
}

export const StrategyFields = ({ number, strategy, onChange, onRemove, ruleFor }: StrategyFieldsProps) => {
  const t = useT();
  return (
    <Fieldset legend={t('strategyN', { n: number })}>
      <Stack>
        <TextInput
          label={t('strategyName')}
          value={strategy.name}
          onChange={(event) => onChange({ name: event.currentTarget.value })}
          error={ruleFor('name')}
        />
        <NativeSelect
          label={t('type')}
          description={t(`type${strategy.type}`)}
          data={TYPES}
          value={strategy.type}
          onChange={(event) => onChange({ type: event.currentTarget.value as StrategyType })}
          error={ruleFor('type')}
        />
        <TextInput
          label={t('namespaceTemplate')}
          value={strategy.namespaceTemplate}
          onChange={(event) => onChange({ namespaceTemplate: event.currentTarget.value })}
          error={ruleFor('namespaceTemplate')}
        />
        <List size="xs" c="dimmed">
          {(['memoryStrategyId', 'actorId', 'sessionId'] as const).map((name) => (
            <List.Item key={name}>
              <Code>{`{${name}}`}</Code> {t(`variable_${name}`)}
            </List.Item>
          ))}
        </List>
        <Switch
          label={t('autoGenerate')}
          description={t('autoGenerateAbout')}
          checked={strategy.isAutomatic}
          onChange={(event) => onChange({ isAutomatic: event.currentTarget.checked })}
        />
        {strategy.type === 'CUSTOM' && (
          <>
            <Textarea
              label={t('customPrompt')}
              value={strategy.prompt}
              onChange={(event) => onChange({ prompt: event.currentTarget.value })}
              error={ruleFor('customFactExtractionPrompt')}
              autosize
              minRows={3}
            />
            <Textarea
              label={t('outputSchema')}
              description={t('outputSchemaAbout')}
              value={strategy.outputSchema}
              onChange={(event) => onChange({ outputSchema: event.currentTarget.value })}
              error={ruleFor('outputSchema')}
              ff="monospace"
              autosize
              minRows={3}
            />
          </>
        )}
        <Group justify="flex-end">
          <Button variant="subtle" color="red" size="xs" onClick={onRemove}>
            <Text inherit span>
              {t('removeStrategy')}
            </Text>
          </Button>
        </Group>
      </Stack>
    </Fieldset>
  );
};
