import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import ts from 'typescript';

const SOURCE = /\.(ts|tsx|mts|mjs)$/;
const LEFT_OUT = new Set(['node_modules', 'dist']);

/**
 * Circles of relative imports, type imports included. Imports of other packages need no check here: lint refuses circles
 * between projects.
 *
 * @param {string} root
 * @returns {string[]} a line per circle: its files, relative to `root`
 */
export const importCircles = (root) => {
  const graph = new Map(sourceFiles(root).map((file) => [file, importsOf(file)]));
  for (const [file, targets] of graph)
    graph.set(
      file,
      targets.filter((target) => graph.has(target)),
    );
  return stronglyConnected(graph).map((circle) => circle.map((file) => relative(root, file)).join(' → '));
};

/** @param {string} folder @returns {string[]} */
const sourceFiles = (folder) =>
  readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return LEFT_OUT.has(entry.name) ? [] : sourceFiles(path);
    return SOURCE.test(entry.name) ? [path] : [];
  });

/**
 * Files that a file imports. Sources import each other by the names of their compiled files; those of a bundler
 * (`apps/console`) without an extension.
 *
 * @param {string} file @returns {string[]}
 */
const importsOf = (file) =>
  ts
    .preProcessFile(readFileSync(file, 'utf8'), true, true)
    .importedFiles.filter(({ fileName }) => fileName.startsWith('.'))
    .flatMap(({ fileName }) => {
      const path = join(dirname(file), fileName);
      const bare = path.replace(/\.js$/, '');
      return [path, `${bare}.ts`, `${bare}.tsx`, join(path, 'index.ts')];
    });

/**
 * Groups of files that all reach each other (Tarjan's algorithm).
 *
 * @param {ReadonlyMap<string, readonly string[]>} graph
 * @returns {string[][]} groups of two or more, and files that import themselves
 */
const stronglyConnected = (graph) => {
  /** @type {Map<string, number>} */
  const order = new Map();
  /** @type {Map<string, number>} */
  const lowest = new Map();
  /** @type {string[]} */
  const open = [];
  /** @type {string[][]} */
  const groups = [];
  /** @param {string} node @returns {number} */
  const visit = (node) => {
    let low = order.size;
    order.set(node, low);
    lowest.set(node, low);
    open.push(node);
    const targets = graph.get(node) ?? [];
    for (const target of targets) {
      if (!order.has(target)) low = Math.min(low, visit(target));
      else if (open.includes(target)) low = Math.min(low, order.get(target) ?? low);
    }
    lowest.set(node, low);
    if (low === order.get(node)) {
      const group = open.splice(open.indexOf(node));
      if (group.length > 1 || targets.includes(node)) groups.push(group);
    }
    return low;
  };
  for (const node of graph.keys()) if (!order.has(node)) visit(node);
  return groups;
};
