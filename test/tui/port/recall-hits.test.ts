import { describe, expect, it } from 'vitest'
import { appended } from '../../../src/engine/context/view/log.ts'
import type { Message } from '../../../src/model/types.ts'
import { entryHit, foundHit, isHandle } from '../../../src/tui/port/recall-hits.ts'
import { call, result, user } from '../../support/messages.ts'

/** The hits of a handle in a log of these messages. */
function hitsOf(handle: string, messages: readonly Message[]) {
  const log = [
    ...appended(
      [],
      messages.map((message) => ({ type: 'message' as const, message })),
    ),
  ]
  const [from = 0, to = from] = (handle.match(/\d+/g) ?? []).map(Number)
  return log.filter(({ seq }) => seq >= from && seq <= to).map(entryHit)
}

describe('a recalled entry', () => {
  it('is named by a handle or a range; other texts are searched for', () => {
    expect(['#12', ' 12 ', '#12 - #20', '12-20'].map(isHandle)).toEqual([true, true, true, true])
    expect(['upload', '12 uploads', '#12, #13', ''].map(isHandle)).toEqual([false, false, false, false])
  })

  it('shows the text of a message, and of a call what it was called with', () => {
    const messages = [user('fix it'), call('a', 'read', { path: 'a.ts' })]
    expect(hitsOf('#1', messages)).toEqual([{ seq: 1, type: 'user', text: 'fix it' }])
    expect(hitsOf('#2', messages)[0]?.text).toContain('a.ts')
  })

  it('shows all of a command', () => {
    const command = Array.from({ length: 400 }, (_, i) => `echo line ${i + 1}`).join('\n')
    const messages = [call('a', 'bash', { command }), result('a', 'it ran')]
    expect(hitsOf('#1', messages)[0]?.text).toBe(`bash ${command}`)
    expect(hitsOf('#1-#2', messages).map(({ text }) => text.split('\n').length)).toEqual([400, 1])
    expect(hitsOf('#2', messages)[0]?.text).toBe('it ran')
  })

  it('of a search says who said it, and of another entry what it is', () => {
    expect(foundHit({ seq: 3, type: 'message', role: 'assistant', snippet: 'fixed' })).toEqual({
      seq: 3,
      type: 'assistant',
      text: 'fixed',
    })
    expect(foundHit({ seq: 4, type: 'compaction', snippet: 'fixed' }).type).toBe('compaction')
  })

  it('is cut if it is very long', async () => {
    const [hit] = hitsOf('#1', [user('x'.repeat(10_000))])
    expect(hit?.text).toBe(`${'x'.repeat(4_000)}\n…`)
  })
})
