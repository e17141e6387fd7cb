import { Module } from '@nestjs/common';
import type { Settings } from '@turnkeeper/platform';
import { SETTINGS } from '@turnkeeper/runtime/nest';
import { McpGate } from './mcp-gate.js';
import { McpController } from './mcp.controller.js';

@Module({
  controllers: [McpController],
  providers: [{ provide: McpGate, inject: [SETTINGS], useFactory: (settings: Settings) => new McpGate(settings) }],
})
export class McpModule {}
