// Runs a graph that asks a person, in a separate process: `start` until the question, `resume` with the answer.
import { Annotation, Command, END, interrupt, START, StateGraph } from '@langchain/langgraph';
import { TurnkeeperSaver } from '@turnkeeper/langgraph';

const [step, baseUrl, apiKey, memoryId, threadId] = process.argv.slice(2);
const graph = new StateGraph(Annotation.Root({ question: Annotation(), answer: Annotation() }))
  .addNode('ask', ({ question }) => ({ answer: interrupt(question) }))
  .addEdge(START, 'ask')
  .addEdge('ask', END)
  .compile({ checkpointer: new TurnkeeperSaver({ baseUrl, apiKey, memoryId }) });
const config = { configurable: { thread_id: threadId, actor_id: 'ada' } };
const input = step === 'start' ? { question: 'May I?' } : new Command({ resume: 'Yes.' });
/** @type {any} the types of the graph do not know interrupts */
const runnable = graph;
const { __interrupt__: asked, ...state } = await runnable.invoke(input, config);
process.stdout.write(`${JSON.stringify({ asked: asked?.map(({ value }) => value) ?? [], state })}\n`);
