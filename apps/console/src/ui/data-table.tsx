import { Table } from '@mantine/core';
import type { ReactNode } from 'react';
import { StoredText } from './stored-text';

interface RowsProps {
  readonly label: string;
  readonly columns: readonly string[];
  readonly minWidth?: number;
  readonly children: ReactNode;
}

/** A table that scrolls sideways on narrow screens; the scroll area takes the keyboard. */
export const Rows = ({ label, columns, minWidth = 640, children }: RowsProps) => (
  <Table.ScrollContainer minWidth={minWidth} type="native" tabIndex={0} role="region" aria-label={label}>
    <Table
      highlightOnHover
      // Mantine's own colour has too little contrast with red buttons in the dark.
      highlightOnHoverColor="light-dark(var(--mantine-color-gray-0), var(--mantine-color-dark-6))"
      verticalSpacing="xs"
      aria-label={label}
    >
      <Table.Thead>
        <Table.Tr>
          {columns.map((column) => (
            <Table.Th key={column}>{column}</Table.Th>
          ))}
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>{children}</Table.Tbody>
    </Table>
  </Table.ScrollContainer>
);

export interface Column<T> {
  readonly title: string;
  readonly maxWidth?: number;
  readonly cell?: (item: T) => ReactNode;
  /** Stored text, in one line. */
  readonly text?: (item: T) => string;
}

interface DataTableProps<T> extends Omit<RowsProps, 'children' | 'columns'> {
  readonly items: readonly T[];
  readonly keyOf: (item: T) => string | number;
  readonly columns: readonly Column<T>[];
  /** Shown instead of a table without rows. */
  readonly empty?: ReactNode;
  /** The way to the rest, below the table. */
  readonly more?: ReactNode;
}

/** One page of a list, a row per item. */
export const DataTable = <T,>({ items, keyOf, columns, empty, more, ...table }: DataTableProps<T>) =>
  items.length === 0 ? (
    empty
  ) : (
    <>
      <Rows {...table} columns={columns.map(({ title }) => title)}>
        {items.map((item) => (
          <Table.Tr key={keyOf(item)}>
            {columns.map(({ title, maxWidth, cell, text }) => (
              <Table.Td key={title} {...(maxWidth === undefined ? {} : { maw: maxWidth })}>
                {text === undefined ? cell?.(item) : <StoredText inline text={text(item)} />}
              </Table.Td>
            ))}
          </Table.Tr>
        ))}
      </Rows>
      {more}
    </>
  );
