import { expect, it } from 'vitest'
import { compactionMiddleware, contextManager, createSession } from '../../../src/adapters/ai-sdk/index.ts'
import { compactionMiddleware as chainMiddleware } from '../../../src/adapters/langchain/index.ts'
import { compactionProcessor } from '../../../src/adapters/mastra/index.ts'
import { compactionFilter } from '../../../src/adapters/openai-agents/index.ts'
import { compactMessages } from '../../../src/fit/compact-messages.ts'
import { fit as fitted } from '../../../src/fit/fit.ts'
import { user } from '../../support/messages.ts'

type Wrong = { readonly [name: string]: unknown }

const TAKERS: Record<string, (options: Wrong) => unknown> = {
  fit: (options) => fitted([user('hello')], { window: 1_000, ...options }),
  compactMessages: (options) => compactMessages([user('hello')], { window: 1_000, ...options }),
  contextManager: (options) => contextManager({ window: 1_000, ...options }),
  'compactionMiddleware of the AI SDK': (options) => compactionMiddleware({ window: 1_000, ...options }),
  createSession: (options) => createSession({ model: 'openai/gpt-5', ...options }),
  'compactionMiddleware of LangChain': (options) => chainMiddleware({ window: 1_000, ...options }),
  compactionFilter: (options) => compactionFilter({ window: 1_000, ...options }),
  compactionProcessor: (options) => compactionProcessor({ window: 1_000, ...options }),
}

it.each(Object.entries(TAKERS))(
  '%s says in one line which option is unknown, and which was meant',
  async (name, take) => {
    const given = async (options: Wrong) => take(options)
    const [where = name] = name.split(' ')
    await expect(given({ summaryModals: [] })).rejects.toThrow(
      `${where}: unknown option \`summaryModals\`, did you mean \`summaryModels\`?`,
    )
    await expect(given({ zebra: 1 })).rejects.toThrow(new RegExp(`^${where}: unknown option \`zebra\`$`))
    await expect(given({ zebra: undefined })).resolves.toBeDefined()
  },
)
