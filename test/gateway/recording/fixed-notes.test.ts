import { describe, expect, it, onTestFinished } from 'vitest'
import { readRequest } from '../../../src/gateway/faces/read-request.ts'
import { FixedNotes } from '../../../src/gateway/recording/fixed-notes.ts'
import type { ToolSchema } from '../../../src/model/types.ts'
import { openStore } from '../../../src/store/open-store.ts'

async function world() {
  const store = await openStore(':memory:')
  onTestFinished(() => store.close())
  const { id } = await store.createSession({ owner: 'local', workspace: '/w' })
  const noted = async () => {
    const { entries } = await store.entries(id)
    return entries.map((entry) => (entry.type === 'settings' ? entry.tools : undefined))
  }
  return { store, id, noted, notes: new FixedNotes(store) }
}

const tool = (name: string): ToolSchema => ({ name, description: 'Does it.', inputSchema: { type: 'object' } })

describe('the tools of a gateway’s session', () => {
  it('are noted once, and again when they change, also by another process', async () => {
    const { store, id, notes, noted } = await world()
    await notes.note(id, { tools: [tool('Bash')] })
    await notes.note(id, { tools: [tool('Bash')] })
    await notes.note(id, {})
    await new FixedNotes(store).note(id, { tools: [tool('Bash')] })
    expect(await noted()).toHaveLength(1)
    await notes.note(id, { tools: [tool('Bash'), tool('mcp__pith__recall')] })
    const [, second] = await noted()
    expect(second).toEqual([
      { name: 'Bash', tokens: expect.any(Number) },
      { name: 'mcp__pith__recall', server: 'pith', tokens: expect.any(Number) },
    ])
  })

  it('do not change the view', async () => {
    const { store, id, notes } = await world()
    await notes.note(id, { tools: [tool('Bash')] })
    expect((await store.session(id))?.revision).toBe(0)
  })

  it('have the server that their agent puts into the name', async () => {
    const { id, notes, noted } = await world()
    const names = async (...tools: string[]) => {
      await notes.note(id, { tools: tools.map(tool) })
      return (await noted()).at(-1)?.map(({ server }) => server)
    }
    expect(await names('todowrite', 'apply_patch', 'pith_recall')).toEqual([undefined, undefined, 'pith'])
    expect(await names('report_intent', 'read_bash', 'my-server-look_up')).toEqual([undefined, undefined, 'my-server'])
    expect(await names('read_file', 'mcp_pith_recall')).toEqual([undefined, 'pith'])
    expect(await names('read', 'pith__recall')).toEqual([undefined, 'pith'])
  })

  it('are not more than a session can hold', async () => {
    const { id, notes, noted } = await world()
    await notes.note(id, { tools: Array.from({ length: 1_500 }, (_, i) => tool(`tool${i}`)) })
    const [sizes = []] = await noted()
    expect(sizes).toHaveLength(1_000)
    expect(sizes.at(-1)).toMatchObject({ name: '… and 501 more' })
  })

  it('of Codex are read from their namespaces, and those of a search only by name', () => {
    const own = { type: 'function', name: 'recall', description: 'Finds', parameters: { type: 'object' } }
    const tools = [{ type: 'namespace', name: 'mcp__pith', tools: [own] }, { type: 'web_search' }]
    const body = Buffer.from(JSON.stringify({ model: 'm', input: [], tools }))
    const codex = readRequest({ method: 'POST', path: '/v1/responses', headers: {}, body })
    expect(codex?.fixed.tools?.map(({ name }) => name)).toEqual(['mcp__pith/recall', 'web_search'])
    const late = { name: 'look', description: 'Looks', input_schema: { type: 'object' }, defer_loading: true }
    const other = Buffer.from(JSON.stringify({ model: 'm', messages: [], tools: [late] }))
    const claude = readRequest({ method: 'POST', path: '/v1/messages', headers: {}, body: other })
    expect(claude?.fixed.tools).toEqual([{ name: 'look' }])
  })
})

describe('the prompt of a gateway’s session', () => {
  const tools = [tool('Bash')]
  const system = (words: number, key = 'none') =>
    `You are an agent, session ${key}.\n\n# Tone\n${'Be brief. '.repeat(words)}\n\n## Key sk-ant-api03-${'x7Qf2Lm9'.repeat(11)}AA\nIt is secret.`

  async function prompts({ store, id }: Awaited<ReturnType<typeof world>>) {
    const { entries } = await store.entries(id)
    return entries.flatMap((entry) => (entry.type === 'settings' && entry.prompt !== undefined ? [entry.prompt] : []))
  }

  it('is noted by its sections, with their sizes and without their texts and secrets', async () => {
    const made = await world()
    await made.notes.note(made.id, { tools, system: system(200) })
    const [sections = []] = await prompts(made)
    expect(sections.map(({ title }) => title.replace(/sk-.*/, 'SECRET'))).not.toContain('Key SECRET')
    expect(sections.map(({ title }) => title).slice(0, 2)).toEqual(['You are an agent, session none.', 'Tone'])
    expect(sections[1]?.tokens).toBeGreaterThan(300)
    expect(JSON.stringify((await made.store.entries(made.id)).entries)).not.toMatch(/Be brief|x7Qf2Lm9/)
  })

  it('is not noted again for another date or key, but for another section or size', async () => {
    const made = await world()
    const { notes, id, store } = made
    for (const key of ['one', 'two', 'three']) await notes.note(id, { tools, system: system(200, key) })
    await new FixedNotes(store).note(id, { tools: [tool('Bash')], system: system(200, 'four') })
    expect((await store.entries(id)).entries).toHaveLength(1)
    await notes.note(id, { tools, system: system(300) })
    await notes.note(id, { tools, system: `${system(300)}\n\n# More\nof it` })
    expect((await prompts(made)).map((sections) => sections.length)).toEqual([3, 3, 4])
    expect((await store.entries(id)).entries.slice(1).every((entry) => !('tools' in entry))).toBe(true)
  })
})
