import type { Feature } from '../feature.js';
import { McpGate } from './mcp-gate.js';
import { McpController } from './mcp.controller.js';

/** Requires the memories feature. */
export const mcpFeature: Feature = {
  controllers: [McpController],
  providers: (_stores, { settings }) => [{ provide: McpGate, useValue: new McpGate(settings) }],
};
