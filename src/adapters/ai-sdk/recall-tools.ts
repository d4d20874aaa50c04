import type { ModelMessage, Tool } from 'ai'
import {
  RECALL_DESCRIPTION,
  type RecallInput,
  type RecallSource,
  recallAnswer,
  recallSchema,
} from '../shared/recall.ts'

/** The tools that Pith offers to an agent: spread them among your own. */
export type PithTools = { readonly recall: Tool<RecallInput, string> }

/** The tool `recall` for the AI SDK. It reads the conversation that it is called in; `unknown` is its answer if that one has no source. */
export function pithTools(
  sourceOf: (messages: readonly ModelMessage[]) => RecallSource | undefined,
  unknown?: string,
): PithTools {
  return {
    recall: {
      description: RECALL_DESCRIPTION,
      inputSchema: recallSchema,
      execute: (input, { messages }) => recallAnswer(sourceOf(messages), input, unknown),
    },
  }
}
