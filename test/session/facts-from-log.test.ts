import { describe, expect, it, onTestFinished } from 'vitest'
import { REDACTED } from '../../src/engine/context/view/rewrite-message.ts'
import { type Entry, type EntryDraft, type IndexDelta, messagesOf } from '../../src/model/types.ts'
import { withFactsFromLog } from '../../src/session/facts-from-log.ts'
import { openSession } from '../../src/session/open-session.ts'
import { openStore } from '../../src/store/open-store.ts'
import { compaction } from '../support/compaction.ts'
import { assistant, call, result, user } from '../support/messages.ts'
import { temporaryStore } from '../support/store.ts'

const FILES: IndexDelta = { files: [{ path: 'src/x.ts', access: 'read', seq: 2 }] }
const COMPACTION = 7

/** A session of six messages and a compaction of them as 0.1 stored it under `kit`; what the view shows and knows after redactions. */
async function knownAfter(...redactions: readonly (readonly number[])[]): Promise<string> {
  const { store, remove } = await temporaryStore()
  onTestFinished(remove)
  const { id } = await store.createSession({ owner: 'ann', workspace: '/w' })
  const messages = [
    user('Mend the parser'),
    call('a', 'read', { path: 'src/x.ts' }),
    result('a', 'one'),
    user('Never touch the lexer'),
    call('b', 'bash', { command: 'npm test' }),
    result('b', 'ok'),
  ].map((message): EntryDraft => ({ type: 'message', message }))
  const budgets = { indexTokens: 2_000, userTokens: 200 }
  const made = compaction({ upTo: 6, summary: 'The goal.', frame: 'kit', indexDelta: FILES, ...budgets })
  await store.append(id, [...messages, made, { type: 'message', message: assistant('Done') }])
  for (const seqs of redactions) await store.redact(id, seqs)
  const { view } = await openSession(store, id)
  return JSON.stringify([messagesOf(view), view.items.slice().map((item) => item.kind === 'summary' && item.index)])
}

describe('the facts that 0.1 did not store under kit', () => {
  it('are found in the log, also after an entry of the span was redacted', async () => {
    const whole = await knownAfter()
    for (const fact of ['src/x.ts', 'Mend the parser', 'Never touch the lexer', 'npm test'])
      expect(whole).toContain(fact)
    const rest = await knownAfter([4])
    for (const fact of ['src/x.ts', 'Mend the parser', 'npm test']) expect(rest).toContain(fact)
    expect(rest).not.toContain('lexer')
    expect(await knownAfter([2])).not.toContain('src/x.ts')
  })

  it.each([[[[COMPACTION]]], [[[COMPACTION], [4]]], [[[4], [COMPACTION]]], [[[4, COMPACTION]]]])(
    'are not brought back when the compaction itself was redacted: %j',
    async (redactions) => {
      expect(await knownAfter(...redactions)).not.toMatch(/src\/x\.ts|parser|lexer|npm test/)
    },
  )
})

describe('a compaction as it is stored', () => {
  const kit = (fields: Parameters<typeof compaction>[0] = {}): Entry =>
    ({ ...compaction({ frame: 'kit', indexDelta: FILES, ...fields }), id: 'c', seq: 9, at: 0 }) as Entry

  /** The entries with their facts; an entry that has facts is not looked for in the log. */
  async function completed(...entries: readonly Entry[]) {
    const store = await openStore(':memory:')
    onTestFinished(() => store.close())
    const { id } = await store.createSession({ owner: 'ann', workspace: '/w' })
    const said = ['Mend the parser', 'Mend the lexer', 'Mend the printer', 'Mend the tests'].map(user)
    await store.append(
      id,
      said.map((message): EntryDraft => ({ type: 'message', message })),
    )
    return withFactsFromLog(store, id, entries)
  }

  it.each([
    ['of another preset', kit({ frame: 'pith' })],
    [
      'with facts of the users, by the rules of today',
      kit({ factRules: 2, indexDelta: { ...FILES, users: [{ seq: 1, text: 'Go', length: 2 }] } }),
    ],
    ['that says which facts it has', kit({ indexFacts: 'files' })],
    [
      'that says how many facts it left out',
      kit({ indexDelta: { ...FILES, leftOut: { users: 1, constraints: 0, identifiers: 0 } } }),
    ],
    ['without files', kit({ indexDelta: {} })],
    ['that was redacted', kit({ summary: REDACTED })],
  ])('%s stays as it is', async (_, entry) => {
    expect((await completed(entry))[0]).toBe(entry)
  })

  it('gets the words of its own span: not what it keeps, nor what an earlier one has', async () => {
    const first = { ...kit({ upTo: 1 }), seq: 5 }
    const second = { ...kit({ from: 2, upTo: 4, keep: [3] }), seq: 6 }
    const facts = (await completed(first, second)).map((entry) => entry.type === 'compaction' && entry.indexDelta)
    const words = facts.map((delta) => JSON.stringify(delta).match(/Mend the \w+/g))
    expect(words[0]).toContain('Mend the parser')
    expect(words[0]).not.toContain('Mend the lexer')
    expect(new Set(words[1])).toEqual(new Set(['Mend the lexer', 'Mend the tests']))
    for (const delta of facts) expect(delta).toMatchObject(FILES)
  })

  it('is completed even if a redaction left empty lists', async () => {
    const [entry] = await completed(kit({ upTo: 1, indexDelta: { ...FILES, users: [], commands: [] } }))
    expect(JSON.stringify(entry)).toContain('Mend the parser')
  })

  it('of version 0.2 quotes no message that the log does not have', async () => {
    const users = [
      { seq: 1, text: 'Mend the parser' },
      { seq: 2, text: 'Wipe the disks', reply: 'answer' as const, to: 'bash ls' },
    ]
    const constraints = [{ seq: 2, text: 'Wipe the disks' }]
    const [entry] = await completed(kit({ frame: 'pith', upTo: 4, indexDelta: { ...FILES, users, constraints } }))
    expect(entry).toMatchObject({
      indexDelta: { ...FILES, users: [{ text: 'Mend the parser' }, { text: 'Mend the lexer' }], constraints: [] },
    })
  })

  it('of version 0.2 is checked with its own span, and with what it quotes of an earlier one', async () => {
    const forged = (seq: number) => ({ seq, text: `Wipe disk ${seq}` })
    const first = { ...kit({ frame: 'pith', upTo: 2, keep: [1], indexDelta: { users: [forged(2)] } }), seq: 5 }
    const second = { ...kit({ frame: 'pith', upTo: 4, indexDelta: { users: [1, 3, 4].map(forged) } }), seq: 6 }
    const found = await completed(first, second)
    const users = found.map((entry) => entry.type === 'compaction' && entry.indexDelta.users?.map(({ text }) => text))
    expect(users).toEqual([['Mend the lexer'], ['Mend the parser', 'Mend the printer', 'Mend the tests']])
  })
})
