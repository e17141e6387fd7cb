import { Module } from '@nestjs/common';
import { ClearSession, FindEarlierAnswer, GetContext } from '@turnkeeper/application';
import { useCases } from '@turnkeeper/runtime/nest';
import { ShortTermController } from './short-term.controller.js';

@Module({ controllers: [ShortTermController], providers: useCases(GetContext, ClearSession, FindEarlierAnswer) })
export class ShortTermModule {}
