import { afterAll, expect } from 'vitest';
import { takeLeaks } from './planted-markers.js';

// Registered before the hooks of the test file, so it runs after them, when all processes of the file have ended.
afterAll(() => expect(takeLeaks(), 'content or secrets in the output of a process').toEqual([]));
