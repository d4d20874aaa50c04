/**
 * A program that is started again for every question: messages and Pith's state are in a file beside it. Nothing here needs
 * a model.
 * In an empty folder with the copy of this file in the package: npm install pith && node state-in-a-file.ts
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { compactMessages, type Message } from '../../src/index.ts' // in your program: from 'pith'

const folder = mkdtempSync(join(tmpdir(), 'chat-'))
const file = join(folder, 'chat.json')
writeFileSync(file, JSON.stringify({ messages: [] }))

for (const name of ['harbour', 'lighthouse', 'ferry']) {
  const files = await question(name)
  console.log(`after the ${name}, files changed so far: ${files.join(', ')}`)
}
rmSync(folder, { recursive: true })

/** One run of the program. */
async function question(name: string): Promise<readonly string[]> {
  const stored: { messages: Message[]; state?: unknown } = JSON.parse(readFileSync(file, 'utf8'))
  const messages = [...stored.messages, ...work(name)]
  const { state, stateIgnored, modifiedFiles } = await compactMessages(messages, {
    state: stored.state,
    model: { contextWindow: 32_000 },
    policy: { keepTokens: 200 },
  })
  if (stateIgnored !== undefined) console.warn(stateIgnored)
  // All messages stay in the file; the state records which of them are summarised.
  writeFileSync(file, JSON.stringify({ messages, state }))
  return modifiedFiles
}

function work(name: string): Message[] {
  const call = { toolCallId: `edit-${name}`, toolName: 'edit' }
  const input = { path: `src/${name}.ts`, oldText: 'open', newText: 'closed' }
  return [
    { role: 'user', content: `Close the ${name}. ${'It matters. '.repeat(80)}` },
    { role: 'assistant', content: [{ type: 'tool-call', ...call, input }] },
    { role: 'tool', content: [{ type: 'tool-result', ...call, output: { type: 'text', value: 'ok' } }] },
    { role: 'assistant', content: `The ${name} is closed.` },
    { role: 'user', content: 'Thank you.' },
  ]
}
