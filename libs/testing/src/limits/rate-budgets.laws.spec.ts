import { InMemoryRateBudgets } from './in-memory-rate-budgets.js';
import { rateBudgetsLaws } from './rate-budgets.laws.js';

rateBudgetsLaws('memory', () => new InMemoryRateBudgets(() => performance.now()));
