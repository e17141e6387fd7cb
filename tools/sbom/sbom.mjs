// `npm run sbom [-- FILE]`: what the services run with, as CycloneDX. Made by npm itself from package-lock.json.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { script } from '../shared/script.mjs';
import { say } from '../shared/steps.mjs';
import { workspaceRoot } from '../shared/workspace.mjs';
import { bill } from './bill.mjs';

script(
  'Usage: npm run sbom [-- FILE]\n\nWrites a CycloneDX bill of the packages that the services run with. Default: sbom.cdx.json',
);
const file = process.argv[2] ?? join(workspaceRoot, 'sbom.cdx.json');
const text = await bill();
writeFileSync(file, text);
say(`${JSON.parse(text).components.length} packages are listed in ${file}.`);
