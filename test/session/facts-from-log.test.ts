import { describe, expect, it, onTestFinished } from 'vitest'
import type { EntryDraft } from '../../src/model/entry.ts'
import type { IndexDelta } from '../../src/model/log-index.ts'
import { messagesOf } from '../../src/model/view.ts'
import { openSession } from '../../src/session/open-session.ts'
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
