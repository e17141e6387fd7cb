import { Group, NativeSelect, useMantineColorScheme, type MantineColorScheme } from '@mantine/core';
import { LANGUAGES, useTexts, type Language } from '../text/text';

/** Language and colours, stored in this browser. */
export const Preferences = () => {
  const { t, language, setLanguage } = useTexts();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <Group grow gap="xs">
      <NativeSelect
        size="xs"
        aria-label={t('language')}
        value={language}
        onChange={(event) => setLanguage(event.currentTarget.value as Language)}
        data={Object.entries(LANGUAGES).map(([value, label]) => ({ value, label }))}
      />
      <NativeSelect
        size="xs"
        aria-label={t('colors')}
        value={colorScheme}
        onChange={(event) => setColorScheme(event.currentTarget.value as MantineColorScheme)}
        data={[
          { value: 'auto', label: t('colorsAuto') },
          { value: 'light', label: t('colorsLight') },
          { value: 'dark', label: t('colorsDark') },
        ]}
      />
    </Group>
  );
};
