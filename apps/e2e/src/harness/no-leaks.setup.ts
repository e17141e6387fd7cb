import { afterAll, expect } from 'vitest';
import { forgetPlanted, takeLeaks } from './planted-markers.js';

// Registered before the hooks of the test file, so it runs after them, when all processes of the file have ended.
afterAll(() => {
  const leaks = takeLeaks();
  forgetPlanted();
  expect(leaks, 'content or secrets in the output of a process').toEqual([]);
});
