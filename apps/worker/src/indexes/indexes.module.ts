import { Inject, Module, type OnModuleInit } from '@nestjs/common';
import { RESOURCES } from '@turnkeeper/runtime/nest';
import { Loops } from '../loops.js';
import type { WorkerResources } from '../resources.js';
import { embedTurnsTicker } from './embed-turns.js';
import { indexActivityTicker, indexQuestionsTicker, indexTurnsTicker } from './index-questions.js';

/** Keeps the indexes of the log near its head. */
@Module({})
export class IndexesModule implements OnModuleInit {
  constructor(
    @Inject(Loops) private readonly loops: Loops,
    @Inject(RESOURCES) private readonly resources: WorkerResources,
  ) {}

  onModuleInit(): void {
    for (const tickerOf of [indexQuestionsTicker, indexActivityTicker, indexTurnsTicker, embedTurnsTicker]) {
      const ticker = tickerOf(this.resources);
      if (ticker !== null) this.loops.add(ticker);
    }
  }
}
