import { Inject, Module, type OnApplicationShutdown } from '@nestjs/common';
import { PrepareChat, StoreChat } from '@turnkeeper/application';
import type { Settings } from '@turnkeeper/platform';
import { SETTINGS, useCases } from '@turnkeeper/runtime/nest';
import { LimitsModule } from '../limits/limits.module.js';
import { ChatModel } from './chat-model.js';
import { ChatController } from './chat.controller.js';

/** A chat model with memory. */
@Module({
  imports: [LimitsModule],
  controllers: [ChatController],
  providers: [
    ...useCases(PrepareChat, StoreChat),
    { provide: ChatModel, inject: [SETTINGS], useFactory: (settings: Settings) => new ChatModel(settings) },
  ],
})
export class ChatModule implements OnApplicationShutdown {
  constructor(@Inject(ChatModel) private readonly model: ChatModel) {}

  onApplicationShutdown(): Promise<void> {
    return this.model.close();
  }
}
