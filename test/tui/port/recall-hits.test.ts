import { describe, expect, it } from 'vitest'
import { entryHit, foundHit, isHandle } from '../../../src/tui/port/recall-hits.ts'
import { call, user } from '../../support/messages.ts'

const at = { id: 'a', seq: 3, at: 0 }

describe('a recalled entry', () => {
  it('is named by a handle or a range; other texts are searched for', () => {
    expect(['#12', ' 12 ', '#12 - #20', '12-20'].map(isHandle)).toEqual([true, true, true, true])
    expect(['upload', '12 uploads', '#12, #13', ''].map(isHandle)).toEqual([false, false, false, false])
  })

  it('shows the text of a message, and of a call what it was called with', () => {
    expect(entryHit({ ...at, type: 'message', message: user('mend it') })).toEqual({
      seq: 3,
      type: 'user',
      text: 'mend it',
    })
    expect(entryHit({ ...at, type: 'message', message: call('a', 'read', { path: 'a.ts' }) }).text).toContain('a.ts')
  })

  it('of a search says who said it, and of another entry what it is', () => {
    expect(foundHit({ seq: 3, type: 'message', role: 'assistant', snippet: 'mended' })).toEqual({
      seq: 3,
      type: 'assistant',
      text: 'mended',
    })
    expect(foundHit({ seq: 4, type: 'compaction', snippet: 'mended' }).type).toBe('compaction')
  })

  it('is cut where it is very long', () => {
    const { text } = entryHit({ ...at, type: 'message', message: user('x'.repeat(10_000)) })
    expect(text).toBe(`${'x'.repeat(4_000)}\n…`)
  })
})
