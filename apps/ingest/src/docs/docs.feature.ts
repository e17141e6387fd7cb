import type { Feature } from '../feature.js';
import { DocsController } from './docs.controller.js';

export const docsFeature: Feature = { controllers: [DocsController], providers: () => [] };
