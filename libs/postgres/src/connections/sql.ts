import type { DataSource, EntityManager } from 'typeorm';
import { rowsFor, rowsOf, viewsFor, viewsOf } from './database.js';

/** Part of a statement's text. */
class Raw {
  constructor(readonly text: string) {}
}

/** Inserts a constant into a statement as text, not as a parameter. */
export const raw = (text: string): Raw => new Raw(text);

type Statement<R> = (parts: TemplateStringsArray, ...values: unknown[]) => Promise<R[]>;

/** A statement as a template, whose values become parameters in their order. */
const statement =
  <R>(run: (text: string, parameters: unknown[]) => Promise<R[]>): Statement<R> =>
  (parts, ...values) => {
    const parameters: unknown[] = [];
    const texts = values.map((value) => (value instanceof Raw ? value.text : `$${parameters.push(value)}`));
    return run(String.raw({ raw: parts }, ...texts), parameters);
  };

/** `rowsOf`, with the values in the statement. */
export const sqlOf = <R = object>(source: DataSource | EntityManager): Statement<R> =>
  statement((text, parameters) => rowsOf<R>(source, text, parameters));

/** `rowsFor`, with the values in the statement. */
export const sqlFor = <R = object>(source: DataSource, tenantId: string): Statement<R> =>
  statement((text, parameters) => rowsFor<R>(source, tenantId, text, parameters));

/** `viewsOf`, with the values in the statement. */
export const sqlViewsOf = <V>(source: DataSource | EntityManager): Statement<V> =>
  statement((text, parameters) => viewsOf<V>(source, text, parameters));

/** `viewsFor`, with the values in the statement. */
export const sqlViewsFor = <V>(source: DataSource, tenantId: string): Statement<V> =>
  statement((text, parameters) => viewsFor<V>(source, tenantId, text, parameters));
