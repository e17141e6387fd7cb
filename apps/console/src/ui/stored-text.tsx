import { Button, Mark, Text } from '@mantine/core';
import { useState } from 'react';
import { useT } from '../text/text';
import { markQuotes, piecesOf } from './visible';
import classes from './ui.module.css';

/** Longer texts are cut first, and then shown in steps of this many characters: a turn may have a megabyte. */
const FIRST = 1_500;
const STEP = 20_000;

const Pieces = ({ text }: { readonly text: string }) =>
  piecesOf(text).map((piece, index) =>
    'code' in piece ? (
      <code key={index} className={classes.hidden}>
        {piece.code}
      </code>
    ) : (
      piece.text
    ),
  );

interface StoredTextProps {
  readonly text: string;
  /** Quotes to highlight. */
  readonly quotes?: readonly string[];
  /** In one line, cut by the width: for lists. */
  readonly inline?: boolean;
}

/** Text that users or models wrote: shown as text only, never as markup or links, with hidden characters named. */
export const StoredText = ({ text, quotes = [], inline = false }: StoredTextProps) => {
  const t = useT();
  const [most, setMost] = useState(FIRST);
  const limit = inline ? 300 : most;
  const shown = text.length > limit ? text.slice(0, limit) : text;
  return (
    <Text
      component={inline ? 'span' : 'div'}
      size="sm"
      inherit={inline}
      className={inline ? classes.line : classes.stored}
    >
      {markQuotes(shown, quotes).map((part, index) =>
        part.marked ? (
          <Mark key={index} color="yellow">
            <Pieces text={part.text} />
          </Mark>
        ) : (
          <Pieces key={index} text={part.text} />
        ),
      )}
      {text.length > limit && (inline ? '…' : null)}
      {text.length > limit && !inline && (
        <Button variant="subtle" size="compact-xs" onClick={() => setMost(most + STEP)}>
          {t('showMore', { shown: shown.length.toLocaleString(), total: text.length.toLocaleString() })}
        </Button>
      )}
    </Text>
  );
};
