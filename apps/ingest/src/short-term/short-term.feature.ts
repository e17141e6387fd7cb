import { ClearSession, FindEarlierAnswer, GetContext } from '@turnkeeper/application';
import type { Feature } from '../feature.js';
import { ShortTermController } from './short-term.controller.js';

export const shortTermFeature: Feature = {
  controllers: [ShortTermController],
  providers: (stores) => [
    { provide: GetContext, useValue: new GetContext(stores) },
    { provide: ClearSession, useValue: new ClearSession(stores) },
    { provide: FindEarlierAnswer, useValue: new FindEarlierAnswer(stores) },
  ],
};
