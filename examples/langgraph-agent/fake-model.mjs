import { BaseChatModel } from '@langchain/core/language_models/chat_models';
import { AIMessage } from '@langchain/core/messages';

/** A model without a model: it remembers what is stated, looks up what is asked, and reads out what a tool returned. */
export class FakeModel extends BaseChatModel {
  constructor() {
    super({});
  }

  _llmType() {
    return 'fake';
  }

  bindTools() {
    return this;
  }

  async _generate(messages) {
    const message = answerTo(messages);
    return { generations: [{ text: String(message.content), message }] };
  }
}

const answerTo = (messages) => {
  const last = messages.at(-1);
  if (last.getType() === 'tool') return new AIMessage(last.content);
  const said = String(last.content);
  if (said === 'What did I say first?') {
    return new AIMessage(String(messages.find((each) => each.getType() === 'human').content));
  }
  const call = said.endsWith('?')
    ? { name: 'recall', args: { query: said } }
    : { name: 'remember', args: { fact: said } };
  return new AIMessage({ content: '', tool_calls: [{ id: `call-${messages.length}`, type: 'tool_call', ...call }] });
};
