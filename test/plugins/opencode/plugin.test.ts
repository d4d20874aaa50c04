import { describe, expect, it, onTestFinished, vi } from 'vitest'
import type { OpencodeHooks, OpencodeMessage } from '../../../src/plugins/opencode/opencode-api.ts'
import { opencodeHooks } from '../../../src/plugins/opencode/plugin.ts'
import * as work from '../../../src/plugins/opencode/plugin-work.ts'
import { configFolders } from '../../support/config-folders.ts'

const RULE = 'Build the importer. Never touch the production database.'
const NARRATIVE =
  'The user asked for the importer. It was written to /repo/importer.ts, and file-0 to file-11 were read for it, one after the other; nothing in them was changed. The production database was not touched. Tests of importer.ts are missing, and nobody has begun to write them.'
const SESSION = 'ses_1'

/** Some work with large results. `tokens` is what the provider counted at the end. */
function session(results: number, tokens = 1_000): OpencodeMessage[] {
  const tool = (i: number, name: string, input: object, output: string) => ({
    type: 'tool',
    callID: `call-${i}`,
    tool: name,
    state: { status: 'completed', input, output, time: { start: 1, end: 2 } },
  })
  const said = (id: string, role: string, parts: object[], more = {}) => ({
    info: { id, role, sessionID: SESSION, time: { created: 1_700_000_000_000 }, ...more },
    parts: parts.map((part) => ({ ...part })),
  })
  const steps = Array.from({ length: results }, (_, i) =>
    said(`m${i + 2}`, 'assistant', [
      { type: 'step-start' },
      tool(i, 'bash', { command: `cat file-${i}` }, `line ${i} of it\n`.repeat(1_200)),
    ]),
  )
  return [
    said('m0', 'user', [{ type: 'text', text: RULE }]),
    said('m1', 'assistant', [tool(99, 'write', { filePath: '/repo/importer.ts', content: 'a' }, 'written')]),
    ...steps,
    said('n0', 'assistant', [{ type: 'text', text: 'It is written.' }], { tokens: { input: tokens, output: 10 } }),
    said('n1', 'user', [{ type: 'text', text: 'What is left?' }]),
  ]
}

/** The hooks of a plug-in that sees these messages, with a data folder of its own. */
async function plugin(messages: () => OpencodeMessage[]): Promise<OpencodeHooks> {
  const client = { session: { messages: async () => ({ data: structuredClone(messages()) }) } }
  const hooks = opencodeHooks({ client, directory: '/repo' }, {}, async () => work)
  await hooks['chat.params']({ sessionID: SESSION, model: { id: 'm', providerID: 'p', limit: { context: 200_000 } } })
  return hooks
}

function ownFolder(): void {
  onTestFinished(() => void vi.unstubAllEnvs())
  vi.stubEnv('PITH_HOME', configFolders().env.PITH_HOME)
}

describe('a compaction of opencode', () => {
  const summary = { info: { id: 's1', role: 'assistant', summary: true, sessionID: SESSION }, parts: [] }
  const answered = async (text: string, id: string) => {
    ownFolder()
    const messages = session(12)
    let isAsked = false
    const hooks = await plugin(() => (isAsked ? [...messages, summary] : messages))
    const asked: { context: string[]; prompt?: string } = { context: [] }
    await hooks['experimental.session.compacting']({ sessionID: SESSION }, asked)
    await hooks['experimental.chat.messages.transform']({}, { messages: messages.slice(0, -2) })
    isAsked = true
    const output = { text }
    await hooks['experimental.text.complete']({ sessionID: SESSION, messageID: id }, output)
    return { prompt: asked.prompt ?? '', text: output.text }
  }

  it('is asked with the facts of the log, and becomes a record with what the model wrote', async () => {
    const { prompt, text } = await answered(NARRATIVE, 's1')
    for (const words of ['importer.ts', RULE, 'conversation below']) expect(prompt).toContain(words)
    for (const words of ['<record-', 'importer.ts: written', RULE, NARRATIVE]) expect(text).toContain(words)
    expect(text).not.toContain('What is left?')
  })

  it('calls nothing unanswered that was answered in the messages that opencode keeps', async () => {
    const { text } = await answered(NARRATIVE, 's1')
    expect(text).not.toContain('answered yet')
    expect(text.split('line 11 of it').length).toBeLessThan(10)
  })

  it('is a digest when the model wrote nothing useful', async () => {
    const { text } = await answered('Sorry, no.', 's1')
    expect(text).toContain('importer.ts: written')
    expect(text).not.toContain('Sorry, no.')
  })

  it('that came to nothing changes no later answer', async () => {
    expect((await answered('Just an answer.', 'n0')).text).toBe('Just an answer.')
  })

  it('is left to opencode when its session cannot be read', async () => {
    const hooks = await plugin(() => {
      throw new Error('no')
    })
    const asked: { context: string[]; prompt?: string } = { context: [] }
    await hooks['experimental.session.compacting']({ sessionID: SESSION }, asked)
    expect(asked).toEqual({ context: [] })
  })
})

describe('what opencode sends', () => {
  const sent = async (hooks: OpencodeHooks, messages: OpencodeMessage[]) => {
    const output = { messages: structuredClone(messages) }
    await hooks['experimental.chat.messages.transform']({}, output)
    return output.messages
      .flatMap(({ parts }) => parts.map((part) => JSON.stringify(part)))
      .filter((part) => part.includes('masked to save'))
  }

  it('has handles from the trigger on, the same ones ever after, also in another process', async () => {
    ownFolder()
    const small = session(30)
    expect(await sent(await plugin(() => small), small)).toEqual([])
    const messages = session(30, 150_000)
    const hooks = await plugin(() => messages)
    const first = await sent(hooks, messages)
    expect(first.length).toBeGreaterThan(5)
    expect(await sent(hooks, messages)).toEqual(first)
    expect(await sent(await plugin(() => messages), small)).toEqual(first)
  })
})

it('recall gives back what a session of opencode says', async () => {
  const messages = session(12)
  const { recall } = (await plugin(() => messages)).tool
  const found = (await recall?.execute({ search: 'line 3 of it' }, { sessionID: SESSION })) ?? ''
  expect(found).toContain('of opencode (this one)')
  const handle = /#\d+/.exec(found)?.[0]
  expect(await recall?.execute({ handles: handle }, { sessionID: SESSION })).toContain('line 3 of it\nline 3 of it')
})
