import type { Browser } from 'playwright-core';
import type { Receiver } from '../harness/receiver.js';
import type { Stack } from '../harness/stack.js';
import type { TokenIssuer } from '../harness/token-issuer.js';
import { ConsoleUi } from './console-ui.js';

/** What the steps share. All but the tab are there once the stack has started, the memory once a step has created it. */
export class ConsoleWorld {
  readonly ui = new ConsoleUi();
  stack!: Stack;
  browser!: Browser;
  receiver!: Receiver;
  issuer!: TokenIssuer;
  memoryId!: string;
  operatorKey!: string;
}
