import { Body, Controller, Headers, Inject } from '@nestjs/common';
import { historyOfAgent, requireAgent } from '@turnkeeper/application';
import { routes } from '@turnkeeper/contracts';
import { Input, Route, type CallOf } from '../http/route.js';
import { historyResponse } from './agent-response.js';
import { receivedMessages, repeatKeyOf } from './received-messages.js';
import { APP, type App } from '../composition.js';

/** An agent's messages, and the input of its model. */
@Controller()
export class ConversationController {
  constructor(@Inject(APP) private readonly app: App) {}

  @Route(routes.appendToAgent)
  async append(
    @Input() { tenantId, path, body }: CallOf<typeof routes.appendToAgent>,
    @Headers('idempotency-key') key: string | undefined,
    @Body() received: unknown,
  ) {
    const messages = await this.app.appendToAgent.execute(
      tenantId,
      path.agentId,
      receivedMessages(body.contents),
      repeatKeyOf(key, received),
      'contents.',
    );
    this.app.appended();
    return { messages };
  }

  @Route(routes.interruptAgent)
  async interrupt(
    @Input() { tenantId, path, body }: CallOf<typeof routes.interruptAgent>,
    @Headers('idempotency-key') key: string | undefined,
    @Body() received: unknown,
  ) {
    const { content: heard, interruptTimestamp } = body;
    const interrupted = await this.app.interruptAgent.execute(
      tenantId,
      path.agentId,
      { heard, ...(interruptTimestamp === undefined ? {} : { interruptTimestamp }) },
      repeatKeyOf(key, received),
    );
    this.app.appended();
    return interrupted;
  }

  @Route(routes.resetAgent)
  async reset(@Input() { tenantId, path, body }: CallOf<typeof routes.resetAgent>) {
    await this.app.resetAgent.execute(tenantId, path.agentId, body.reason);
    this.app.appended();
  }

  @Route(routes.getAgentHistory)
  async history(@Input() { tenantId, path }: CallOf<typeof routes.getAgentHistory>) {
    const agent = await requireAgent(this.app.agents, tenantId, path.agentId);
    return historyResponse(agent, await historyOfAgent(this.app.eventStore, agent));
  }

  @Route(routes.getLlmRequest)
  async llmRequest(@Input() { reach, path, query }: CallOf<typeof routes.getLlmRequest>) {
    const request = await this.app.getLlmRequest.execute(reach, path.agentId, {
      times: query.times === 'true',
      users: query.users === 'true',
      original: query.original === 'true',
      interruptable: query.interruptable === 'true',
      memories: query.memories,
    });
    return { ...request, messages: [...request.messages] };
  }
}
