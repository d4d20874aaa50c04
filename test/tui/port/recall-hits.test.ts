import { describe, expect, it } from 'vitest'
import { appended } from '../../../src/engine/context/view/log.ts'
import type { Message } from '../../../src/model/types.ts'
import { entryHits, foundHit, isHandle } from '../../../src/tui/port/recall-hits.ts'
import { call, result, user } from '../../support/messages.ts'

/** The hits of a handle in a log of these messages. */
async function hitsOf(handle: string, messages: readonly Message[]) {
  const log = [
    ...appended(
      [],
      messages.map((message) => ({ type: 'message' as const, message })),
    ),
  ]
  return entryHits(handle, async (handles) => {
    const [from = 0, to = from] = (handles.match(/\d+/g) ?? []).map(Number)
    return { entries: log.filter(({ seq }) => seq >= from && seq <= to), damaged: [] }
  })
}

describe('a recalled entry', () => {
  it('is named by a handle or a range; other texts are searched for', () => {
    expect(['#12', ' 12 ', '#12 - #20', '12-20', '#12, #13'].map(isHandle)).toEqual([true, true, true, true, true])
    expect(['upload', '12 uploads', '12, 13', ''].map(isHandle)).toEqual([false, false, false, false])
  })

  it('shows the text of a message, and of a call what it was called with', async () => {
    const messages = [user('fix it'), call('a', 'read', { path: 'a.ts' })]
    expect(await hitsOf('#1', messages)).toEqual([{ seq: 1, type: 'user', text: 'fix it' }])
    expect((await hitsOf('#2', messages))[0]?.text).toContain('a.ts')
  })

  it('shows all of a command, by the handle of its call and by that of its result', async () => {
    const command = Array.from({ length: 400 }, (_, i) => `echo line ${i + 1}`).join('\n')
    const messages = [call('a', 'bash', { command }), call('b', 'bash', { command: 'ls' }), result('a', 'it ran')]
    expect((await hitsOf('#1', messages))[0]?.text).toBe(`bash ${command}`)
    expect((await hitsOf('#3', messages))[0]?.text).toBe(`bash ${command}\nit ran`)
    expect((await hitsOf('#1-#3', messages)).map(({ text }) => text.split('\n').length)).toEqual([400, 1, 401])
  })

  it('of a search says who said it, and of another entry what it is', () => {
    expect(foundHit({ seq: 3, type: 'message', role: 'assistant', tool: 'edit', at: 0, snippet: 'fixed' })).toEqual({
      seq: 3,
      type: 'assistant, edit',
      text: 'fixed',
    })
    expect(foundHit({ seq: 4, type: 'compaction', at: 0, snippet: 'fixed' }).type).toBe('compaction')
  })

  it('is cut if it is very long', async () => {
    const [hit] = await hitsOf('#1', [user('x'.repeat(10_000))])
    expect(hit?.text).toBe(`${'x'.repeat(4_000)}\n…`)
  })
})
