import { describe, expect, it } from 'vitest'
import { decodeText } from '../../../src/formats/index.ts'
import type { PiModelEvent, PiUsage } from '../../../src/plugins/pi/pi-api.ts'
import { PiStub } from './pi-stub.ts'

const RULE = 'Build the importer. Never touch the production database.'

const NARRATIVE =
  'The user asked for the importer. It was written to /repo/importer.ts, and file-0 to file-11 were read for it, one after the other, with cat; nothing in them was changed. The production database was not touched. Tests of importer.ts are missing, and nobody has begun to write them.'

/** Some work with large results, and a question that was answered. */
function worked(options: ConstructorParameters<typeof PiStub>[0] = {}, results = 12): PiStub {
  const pi = new PiStub(options)
  pi.say('user', RULE)
  pi.call('write', { path: '/repo/importer.ts', content: 'export const a = 1' }, 'written')
  for (let i = 0; i < results; i++) pi.call('bash', { command: `cat file-${i}` }, `line ${i} of it\n`.repeat(1_200))
  pi.say('assistant', [{ type: 'text', text: 'The importer is written.' }], { stopReason: 'stop' })
  pi.say('user', 'What is left?')
  pi.say('assistant', [{ type: 'text', text: 'The tests of importer.ts.' }], { stopReason: 'stop' })
  return pi
}

/** The session as pi's file has it. */
function sessionOf({ branch }: PiStub) {
  const lines = [{ type: 'session', version: 3, id: 's', cwd: '/repo' }, ...branch]
  const read = decodeText(lines.map((line) => JSON.stringify(line)).join('\n'))
  if (!read.ok) throw new Error(read.text)
  return read.session
}

const USAGE: PiUsage = {
  input: 10,
  output: 5,
  cacheRead: 0,
  cacheWrite: 0,
  totalTokens: 15,
  cost: { input: 1, output: 2, cacheRead: 0, cacheWrite: 0, total: 3 },
}

async function* saying(text: string): AsyncGenerator<PiModelEvent> {
  yield { type: 'text_delta', delta: text }
  yield { type: 'done', reason: 'stop', message: { usage: USAGE } }
}

describe('the compaction that pi gets', () => {
  it('is a record with facts beside it, and keeps the end of the branch', async () => {
    const pi = worked({ answer: () => saying(NARRATIVE) })
    const answer = await pi.compact()
    const { summary = '', details, firstKeptEntryId, usage } = answer && 'compaction' in answer ? answer.compaction : {}
    for (const words of [RULE, 'importer.ts', NARRATIVE]) expect(summary).toContain(words)
    expect(details).toMatchObject({ modifiedFiles: ['/repo/importer.ts'], pith: { version: 1 } })
    expect(pi.branch.findIndex(({ id }) => id === firstKeptEntryId)).toBeGreaterThan(2)
    expect(usage).toEqual(USAGE)
    // Its summary is by a model that got the conversation.
    expect(pi.asked).toHaveLength(1)
    const [asked] = pi.asked as { messages: unknown }[]
    for (const words of [RULE, '/repo/importer.ts', 'line 0 of it'])
      expect(JSON.stringify(asked?.messages)).toContain(words)
    expect(pi.statuses.at(-1)).toMatch(/^Compacted 27 messages: [\d.]+k → [\d.]+k? tokens$/)
  })

  it('is read back by the next one, with every fact counted once', async () => {
    const pi = worked()
    await pi.compact()
    for (let i = 0; i < 6; i++) pi.call('bash', { command: `ls ${i}` }, 'a name\n'.repeat(2_000))
    await pi.compact()
    const session = sessionOf(pi)
    expect(session.compactions.map(({ byPith }) => byPith)).toEqual([true, true])
    const { summary = '' } = session.compactions[1] ?? {}
    expect(summary).toContain(RULE)
    expect(summary).toContain('importer.ts: written')
    expect(summary.match(/<record-/g)).toHaveLength(1)
  })

  it('is a digest when the model cannot be asked', async () => {
    const pi = worked()
    const answer = await pi.compact()
    expect(answer).toMatchObject({ compaction: { summary: expect.stringContaining(RULE), usage: undefined } })
    expect(pi.asked.length).toBeGreaterThan(0)
    expect(pi.notices).toEqual([expect.stringMatching(/^No summary by a model: .*there is no key/)])
  })

  it('is cancelled with the user’s own signal', async () => {
    expect(await worked().compact({}, AbortSignal.abort())).toEqual({ cancel: true })
  })

  it('is left to pi when there is nothing to compact or Pith fails', async () => {
    const pi = new PiStub()
    pi.say('user', 'Hello.')
    expect(await pi.compact()).toBeUndefined()
    expect(await pi.compact({ branchEntries: undefined })).toBeUndefined()
    expect(pi.notices).toEqual([expect.stringContaining('pi compacts by itself')])
  })
})

describe('what pi sends', () => {
  const isMasked = (message: object) => JSON.stringify(message).includes('masked to save context')

  it('stays as it is under the trigger', async () => {
    const pi = worked({ tokens: 30_000 })
    expect((await pi.context()).filter(isMasked)).toEqual([])
    expect(pi.branch.filter(({ type }) => type === 'custom')).toEqual([])
  })

  it('has handles for old results from the trigger on, the same ones ever after', async () => {
    const pi = worked({ tokens: 150_000 }, 30)
    const first = (await pi.context()).filter(isMasked)
    expect(first.length).toBeGreaterThan(5)
    expect(pi.statuses.at(-1)).toMatch(/^Masked old tool output: /)
    pi.tokens = 40_000
    pi.say('user', 'Go on.')
    expect((await pi.context()).filter(isMasked)).toEqual(first)
    expect(pi.branch.filter(({ type }) => type === 'custom')).toHaveLength(1)
  })

  it('is what the file says that the model saw', async () => {
    const pi = worked({ tokens: 150_000 }, 30)
    const masked = (await pi.context()).filter(isMasked)
    const { entries } = sessionOf(pi)
    const mask = entries.find((entry) => entry.type === 'mask')
    expect(mask?.type === 'mask' && mask.targets.length).toBe(masked.length)
  })
})

it('recall gives back what left the view, with the numbers of the file', async () => {
  const pi = worked()
  await pi.compact()
  const found = await pi.recall({ search: 'line 3 of it' })
  const handle = /#\d+/.exec(found)?.[0] ?? ''
  expect(found).toContain('of pi (this one)')
  expect(await pi.recall({ handles: handle })).toContain('line 3 of it\nline 3 of it')
  const entry = sessionOf(pi).entries.find(({ seq }) => `#${seq}` === handle)
  expect(JSON.stringify(entry)).toContain('line 3 of it')
  await expect(pi.recall({})).rejects.toThrow('give either handles or search')
})
