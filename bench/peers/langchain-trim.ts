import { countTokensApproximately, trimMessages } from 'langchain'
import { peer as langchain } from './langchain.ts'

/** LangChain's `trimMessages`: the newest messages that fit, from a message of the user on. It asks no model. */
export const peer: typeof langchain = {
  ...langchain,
  label: 'LangChain, trim',
  compact: async (messages, { keepTokens = 20_000 }) => {
    const options = { maxTokens: keepTokens, tokenCounter: countTokensApproximately, startOn: 'human' as const }
    return trimMessages(messages, { ...options, strategy: 'last' })
  },
  notes: { compact: 'LangChain, trim: `trimMessages`, strategy `last`, from a human message on.' },
}
