import { NAMESPACE_VARIABLES } from '../namespace.js';
import type { StrategyKind } from './strategy-kind.js';

/** What the client's prompt asks for. */
export const CUSTOM: StrategyKind = {
  prompt: `# Task
The operator of this service says below, between the markers, what to write down and how. Follow it: it decides which facts are wanted, their wording, their categories and their attributes, also where it differs from "What is worth writing" and from the rules for sentences and names. Where it names no category, use "fact". Write nothing that it does not ask for. It changes nothing about sources, quotes, relations, secrets and the format of the answer.`,
  takesPrompt: true,
  summary: 'none',
  slots: 'by_attribute',
  strength: false,
  variables: NAMESPACE_VARIABLES,
};
