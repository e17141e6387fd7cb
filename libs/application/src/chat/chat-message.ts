/** A message in the format of OpenAI's chat completions, as far as it is read here. */
export interface ChatMessage {
  readonly role: string;
  /** Text, parts with text or media, or null of an assistant that only calls tools. */
  readonly content?: string | readonly { readonly type: string; readonly text?: unknown }[] | null | undefined;
  readonly tool_calls?: readonly { readonly id: string; readonly [more: string]: unknown }[] | undefined;
  readonly tool_call_id?: string | undefined;
}
