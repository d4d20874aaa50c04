import { docBlocks } from './doc-blocks.ts'

/**
 * The README's programs as a module with one function `run`: both ways to compact, the agent's answer, and a session in
 * SQLite. The conversation is long enough for the window that the README names.
 */
export function readmeModule(): string {
  const blocks = docBlocks().filter(({ name }) => name.startsWith('README'))
  const lines = blocks.flatMap(({ code }) => code.split('\n'))
  const imports = lines.filter((line) => line.startsWith('import '))
  const rest = lines.filter((line) => !line.startsWith('import '))
  return `${imports.join('\n')}
import { createSession } from 'pith/ai-sdk'
import { loadRegistry, resolveModel } from 'pith/models'

${CONVERSATION}
const tools = {}
async function* askMyModel() { yield '## Goal\\nTo talk.' }

export async function run() {
  let messages = conversation()
  ${rest.join('\n  ')}
  const { text } = await agent.generate({ messages: conversation() })
  const session = await createSession({ model: openai('gpt-5'), summaryModels: [], window: 8_000 })
  await session.append(conversation())
  const { compacted } = await session.compact()
  await session.close()
  return {
    after: fitted.tokensAfter,
    text,
    compacted,
    window: resolveModel(loadRegistry(), 'anthropic/claude-sonnet-4-5').contextWindow,
  }
}
`
}

/** The value that `run` returns when all of it works. `after` is checked apart. */
export const RAN = { text: 'Hi there!', compacted: true, window: 200_000 }

/** A worker that fits a conversation with the `fit` of this part of the package. */
export function workerModule(part: 'pith' | 'pith/engine'): string {
  return `import { fit } from '${part}'

${CONVERSATION}
export default {
  async fetch() {
    const { fits, tokensBefore, tokensAfter } = await fit(conversation(), { window: 16_000 })
    return Response.json({ fits, smaller: tokensAfter < tokensBefore })
  },
}
`
}

/** A page that fits a conversation and removes a secret; its global `ran` is a promise of what came out. */
export function pageModule(): string {
  return `import { fit, loadRedactor } from 'pith'

${CONVERSATION}
globalThis.ran = (async () => {
  const redact = await loadRedactor()
  const { fits, tokensBefore, tokensAfter } = await fit(conversation(), { window: 16_000, redact })
  return { fits, smaller: tokensAfter < tokensBefore, redacts: redact('ghp_' + 'Ab1'.repeat(12)).startsWith('[') }
})()
`
}

const CONVERSATION = `const conversation = () => Array.from({ length: 75 }, (_, i) => ({
  role: i % 2 ? 'assistant' : 'user',
  content: \`message \${i} \` + 'some words about the work '.repeat(400),
}))`
