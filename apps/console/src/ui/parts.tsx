import {
  Anchor,
  Badge,
  Box,
  Button,
  Code,
  CopyButton,
  Group,
  Pagination,
  Paper,
  Text,
  Title,
  type AnchorProps,
} from '@mantine/core';
import { Link, useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useT, useTexts } from '../text/text';
import { StoredText } from './stored-text';
import classes from './ui.module.css';

/** A time in the viewer's zone; the exact UTC time on hover. */
export const When = ({ at }: { readonly at: string | null | undefined }) => {
  const { language } = useTexts();
  if (at === null || at === undefined) return <span>–</span>;
  const date = new Date(at);
  const shown = date.toLocaleString(language, { dateStyle: 'medium', timeStyle: 'medium' });
  return (
    <time dateTime={at} title={date.toISOString().replace('T', ' ').replace('Z', ' UTC')}>
      {shown}
    </time>
  );
};

interface IdProps {
  readonly children: string;
  /** In one line, for short ones. */
  readonly whole?: boolean;
}

export const Id = ({ children, whole = false }: IdProps) => (
  <span className={`${classes['id']} ${whole ? classes['key'] : ''}`}>{children}</span>
);

const COLORS: Readonly<Record<string, string>> = {
  ACTIVE: 'teal',
  active: 'teal',
  running: 'teal',
  up: 'teal',
  delivered: 'teal',
  strong: 'teal',
  extracted: 'teal',
  moderate: 'grape',
  pending: 'grape',
  paused: 'grape',
  weak: 'gray',
  stopped: 'gray',
  failed: 'red',
  parked: 'red',
  disabled: 'red',
  down: 'red',
};

export const Status = ({ value }: { readonly value: string }) => (
  <Badge variant="outline" color={COLORS[value] ?? 'gray'} tt="none" miw="max-content" autoContrast>
    {value}
  </Badge>
);

/** A word about an item. */
export const Tag = ({ color = 'gray', children }: { readonly color?: string; readonly children: ReactNode }) => (
  <Badge variant="outline" color={color} tt="none">
    {children}
  </Badge>
);

/** Who said something. */
export const Role = ({ role }: { readonly role: string }) => (
  <Tag color={role === 'user' ? 'cyan' : 'gray'}>{role}</Tag>
);

interface SessionLinkProps {
  readonly session: { readonly memoryId: string; readonly actorId: string; readonly sessionId: string };
  /** Default: the id of the session. */
  readonly text?: string;
  readonly size?: 'xs' | 'sm';
  readonly underline?: AnchorProps['underline'];
}

export const SessionLink = ({
  session: { memoryId, actorId, sessionId },
  text = sessionId,
  size = 'sm',
  underline = 'always',
}: SessionLinkProps) => (
  <Anchor
    component={Link}
    size={size}
    underline={underline}
    to="/memories/$memoryId/actors/$actorId/sessions/$sessionId"
    params={{ memoryId, actorId, sessionId } as never}
  >
    <StoredText inline text={text} />
  </Anchor>
);

interface PageHeadProps {
  readonly title: ReactNode;
  readonly about?: ReactNode;
  readonly children?: ReactNode;
}

/** The heading of a page with its actions. */
export const PageHead = ({ title, about, children }: PageHeadProps) => (
  <Group justify="space-between" align="flex-start" mb="md" gap="sm">
    <Box style={{ minWidth: 0 }}>
      <Title order={1} size="h2" className={classes.wide}>
        {title}
      </Title>
      {about !== undefined && (
        <Text c="dimmed" size="sm" component="div" className={classes.wide}>
          {about}
        </Text>
      )}
    </Box>
    <Group gap="xs">{children}</Group>
  </Group>
);

export const Panel = ({ title, children }: { readonly title?: string; readonly children: ReactNode }) => (
  <Paper withBorder p="md" radius="md" component="section" mb="md">
    {title !== undefined && (
      <Title order={2} size="h4" mb="sm">
        {title}
      </Title>
    )}
    {children}
  </Paper>
);

interface CodeBlockProps {
  readonly text: string;
  /** What it is, if no heading says so. */
  readonly label?: string;
}

/** Prompts, answers and other long texts. */
export const CodeBlock = ({ text, label }: CodeBlockProps) => (
  <Box className={classes.block} {...(label === undefined ? {} : { role: 'group', 'aria-label': label })}>
    <StoredText text={text} />
  </Box>
);

export const Snippet = ({ code, label }: { readonly code: string; readonly label: string }) => {
  const t = useT();
  return (
    <Box>
      <Group justify="space-between" mb={4}>
        <Text size="sm" fw={600}>
          {label}
        </Text>
        <CopyButton value={code}>
          {({ copied, copy }) => (
            <Button size="compact-xs" variant="default" onClick={copy} aria-label={`${t('copy')}: ${label}`}>
              {copied ? t('copied') : t('copy')}
            </Button>
          )}
        </CopyButton>
      </Group>
      <Code block className={classes.snippet} tabIndex={0} aria-label={label} role="region">
        {code}
      </Code>
    </Box>
  );
};

/** Page numbers; the page is in the address. */
export const Pages = ({ page, total }: { readonly page: number; readonly total: number | null }) => {
  const t = useT();
  const navigate = useNavigate();
  if (total === null || total <= 1) return null;
  return (
    <Pagination
      mt="md"
      value={page}
      total={total}
      getControlProps={(control) => ({ 'aria-label': t(control === 'next' ? 'nextPage' : 'previousPage') })}
      getItemProps={(item) => ({ 'aria-label': t('page', { n: item }) })}
      onChange={(next) => void navigate({ to: '.', search: (before: object) => ({ ...before, page: next }) } as never)}
    />
  );
};

/** A link to the rest of a list; the place is in the address, so that back works. */
export const NextPage = ({ next }: { readonly next: string | null }) => {
  const t = useT();
  if (next === null) return null;
  return (
    <Button
      mt="md"
      variant="default"
      renderRoot={(props) => (
        <Link {...props} to="." search={((before: object) => ({ ...before, after: next })) as never} />
      )}
    >
      {t('nextPage')}
    </Button>
  );
};

export const Fact = ({ label, children }: { readonly label: string; readonly children: ReactNode }) => (
  <Box style={{ minWidth: 0 }}>
    <Text size="xs" c="dimmed">
      {label}
    </Text>
    <Text size="sm" component="div" className={classes.wide}>
      {children}
    </Text>
  </Box>
);
