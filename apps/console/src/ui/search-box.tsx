import { Button, Group, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useT } from '../text/text';

interface SearchBoxProps {
  readonly label: string;
  readonly value: string;
  /** Text of the button. Default: Search. */
  readonly action?: string;
  /** Undefined if the box is empty. */
  readonly onSearch: (text: string | undefined) => void;
}

export const SearchBox = ({ label, value, action, onSearch }: SearchBoxProps) => {
  const t = useT();
  const [typed, setTyped] = useState(value);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        onSearch(typed || undefined);
      }}
    >
      <Group gap="xs" align="flex-end">
        <TextInput label={label} value={typed} onChange={(event) => setTyped(event.currentTarget.value)} />
        <Button type="submit" variant="default">
          {action ?? t('search')}
        </Button>
      </Group>
    </form>
  );
};
