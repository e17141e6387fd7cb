import { createContext, use, useCallback, useEffect, useMemo, useState, type ReactNode } from 'react';
import { en, type Key, type Texts } from './en';

export const LANGUAGES = { en: 'English', vi: 'Tiếng Việt', zh: '中文' } as const;
export type Language = keyof typeof LANGUAGES;

const LOADERS: Readonly<Record<Language, () => Promise<Texts>>> = {
  en: async () => en,
  vi: async () => (await import('./vi')).vi,
  zh: async () => (await import('./zh')).zh,
};
const STORED = 'turnkeeper.language';

export type Translate = (key: Key, values?: Readonly<Record<string, string | number>>) => string;

interface TextState {
  readonly t: Translate;
  readonly language: Language;
  readonly setLanguage: (language: Language) => void;
}

const TextContext = createContext<TextState | null>(null);

const isLanguage = (value: string | null): value is Language => value !== null && Object.hasOwn(LANGUAGES, value);

const stored = (): Language => {
  const value = localStorage.getItem(STORED);
  return isLanguage(value) ? value : 'en';
};

/** Texts in the user's language. English until a translation has loaded. */
export const TextProvider = ({ children }: { readonly children: ReactNode }) => {
  const [language, choose] = useState<Language>(stored);
  const [texts, setTexts] = useState<Texts>(en);
  useEffect(() => {
    let isCurrent = true;
    void LOADERS[language]().then((loaded) => {
      if (!isCurrent) return;
      setTexts(loaded);
      document.documentElement.lang = language;
    });
    return () => {
      isCurrent = false;
    };
  }, [language]);
  const setLanguage = useCallback((next: Language) => {
    localStorage.setItem(STORED, next);
    choose(next);
  }, []);
  const t = useCallback<Translate>(
    (key, values = {}) => texts[key].replaceAll(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole)),
    [texts],
  );
  const state = useMemo(() => ({ t, language, setLanguage }), [t, language, setLanguage]);
  return <TextContext value={state}>{children}</TextContext>;
};

export const useTexts = (): TextState => {
  const state = use(TextContext);
  if (state === null) throw new Error('useTexts needs a TextProvider.');
  return state;
};

export const useT = (): Translate => useTexts().t;
