import { expect, it } from 'vitest'
import { type AgentItem, compactionSession } from '../../../src/adapters/openai-agents/index.ts'

function step(i: number): AgentItem[] {
  const text = `export const value${i} = ${i}\n`.repeat(120)
  return [
    item({ type: 'function_call', callId: `c${i}`, name: 'read', arguments: `{"path":"f${i}.ts"}` }),
    item({ type: 'function_call_result', callId: `c${i}`, name: 'read', output: { type: 'text', text } }),
  ]
}

function item(fields: object): AgentItem {
  return fields
}

const long = (steps: number): AgentItem[] => [
  item({ role: 'user', content: 'Read all files.' }),
  ...Array.from({ length: steps }, (_, i) => step(i)).flat(),
]

it('a session gives back what was put in, the newest ones if a limit is given', async () => {
  const session = compactionSession({ window: 20_000 })
  await session.addItems(long(2))
  await session.addItems(step(2))
  expect(await session.getItems()).toHaveLength(7)
  expect(await session.getItems(2)).toEqual(step(2))
  expect(await session.getItems(0)).toEqual([])
  expect(await session.popItem()).toEqual(step(2)[1])
  expect(await session.getItems()).toHaveLength(6)
  await session.clearSession()
  expect(await session.getItems()).toEqual([])
  expect(await session.popItem()).toBeUndefined()
})

it('a session has the type of the SDK, whose items have more fields, without naming it', async () => {
  type SdkItem = AgentItem & { readonly content: string }
  // As `Session` of the SDK is declared.
  const session: {
    getItems(limit?: number): Promise<SdkItem[]>
    addItems(items: SdkItem[]): Promise<void>
    popItem(): Promise<SdkItem | undefined>
  } = compactionSession({ window: 20_000, stored: undefined })
  await session.addItems([{ role: 'user', content: 'hello' }])
  expect((await session.popItem())?.content).toBe('hello')
})

it('a stored session that is still a text is refused', () => {
  const text = JSON.stringify(compactionSession({ window: 20_000 }))
  const stored = text as unknown as { id: string; items: [] }
  expect(() => compactionSession({ window: 20_000, stored })).toThrow(/^stored: is not a session; pass JSON\.parse/)
})

it('what is stored of it is all that the next process needs', async () => {
  const rungs: string[] = []
  const onEvent = (event: { type: string; rung?: string }) => event.type === 'done' && rungs.push(event.rung ?? '')
  const first = compactionSession({ window: 20_000, onEvent })
  await first.addItems(long(30))
  const { input: sent } = await first.filter({ modelData: { input: await first.getItems() } })
  expect(JSON.stringify(sent).length).toBeLessThan(JSON.stringify(long(30)).length / 2)
  expect(rungs).toHaveLength(1)
  const stored = JSON.parse(JSON.stringify(first))
  const second = compactionSession({ window: 20_000, onEvent, stored })
  expect(await second.getSessionId()).toBe(await first.getSessionId())
  const { input: again } = await second.filter({ modelData: { input: await second.getItems() } })
  expect(again).toEqual(sent)
  expect(rungs).toHaveLength(1)
})

it('its tool `recall` reads what was compacted, and a record promises it if the agent has it', async () => {
  const session = compactionSession({ window: 20_000 })
  await session.addItems(long(30))
  const modelData = { input: await session.getItems() }
  const plain = await compactionSession({ window: 20_000 }).filter({ modelData })
  expect(JSON.stringify(plain)).not.toContain('recall')
  const sent = await session.filter({ modelData, agent: { tools: [session.recall] } })
  const [, handle = ''] = JSON.stringify(sent).match(/recall (#\d+)/) ?? []
  const none = { handles: null, search: null, offset: null }
  expect(await session.recall.execute({ ...none, handles: handle })).toMatch(/export const value\d+ = \d+/)
  expect(await session.recall.execute({ ...none, search: 'value7 =' })).toMatch(/^#\d+ \(tool, read/)
})

it('tools of the agent are counted', async () => {
  const filtered = (description: string) =>
    compactionSession({ window: 20_000 }).filter({
      modelData: { input: long(12) },
      agent: { tools: [{ name: 'read', description, parameters: {} }] },
    })
  const size = async (description: string) => JSON.stringify(await filtered(description)).length
  expect(await size('Reads a file of the workspace, whole or in part. '.repeat(700))).toBeLessThan(await size(''))
})

it('its tool `recall` reads what was said in the current run, which the SDK stores at its end', async () => {
  const session = compactionSession({ window: 20_000 })
  await session.filter({ modelData: { input: long(30) }, agent: { tools: [session.recall] } })
  const call = { handles: '#3', search: null, offset: null }
  expect(await session.recall.execute(call)).toContain('export const value0 = 0')
  await session.clearSession()
  expect(await session.recall.execute(call)).toContain('There is no entry #3')
})

it('a model whose provider refuses a request for another reason, or after it has begun, is asked once', async () => {
  const { filter } = compactionSession({ window: 20_000 })
  let asked = 0
  const refusal = Object.assign(new Error("This model's maximum context length is 4000 tokens."), { status: 400 })
  const model = filter.model({
    async getResponse(_request: { input: AgentItem[]; previousResponseId?: string }): Promise<AgentItem[]> {
      asked++
      throw Object.assign(new Error('No such model.'), { status: 404 })
    },
    async *getStreamedResponse(_request: { input: AgentItem[] }) {
      asked++
      yield { type: 'output_text_delta', delta: 'I' }
      throw refusal
    },
  })
  await expect(model.getResponse({ input: long(3) })).rejects.toThrow('No such model.')
  const stream = model.getStreamedResponse({ input: long(3) })
  await stream.next()
  await expect(stream.next()).rejects.toThrow(refusal)
  expect(asked).toBe(2)
})
