import { ClearToolUsesEdit, countTokensApproximately } from 'langchain'
import { peer as langchain } from './langchain.ts'

/** LangChain's `ClearToolUsesEdit`, the edit of its `contextEditingMiddleware`: old results become a placeholder. It asks no model. */
export const peer: typeof langchain = {
  ...langchain,
  label: 'LangChain, clear',
  compact: async (messages) => {
    const edit = new ClearToolUsesEdit({ trigger: { tokens: 1 } })
    const edited = [...messages]
    // The model is asked for its window only, if the trigger is a share of it.
    await edit.apply({ messages: edited, model: undefined as never, countTokens: countTokensApproximately })
    return edited
  },
  notes: {
    compact:
      'LangChain, clear: `ClearToolUsesEdit` of `contextEditingMiddleware`, which keeps the last three results; it has no target.',
  },
}
