import { NativeSelect } from '@mantine/core';
import { useFilters } from '../app/filters';
import { useT } from '../text/text';

interface ChoiceFilterProps {
  readonly label: string;
  /** Name of the filter in the address. */
  readonly name: string;
  readonly choices: readonly string[];
}

/** A filter with a few values, or all. */
export const ChoiceFilter = ({ label, name, choices }: ChoiceFilterProps) => {
  const t = useT();
  const [filters, setFilters] = useFilters();
  return (
    <NativeSelect
      label={label}
      value={choices.find((choice) => choice === filters[name]) ?? ''}
      onChange={(event) => setFilters({ [name]: event.currentTarget.value || undefined })}
      data={[{ value: '', label: t('all') }, ...choices]}
    />
  );
};
