import { describe, expect, it } from 'vitest'
import { decoded, fixture } from '../fixture.ts'

describe('a chat of Gemini CLI', () => {
  it('reads the same as a document and as lines with patches and rewinds', () => {
    expect(decoded(fixture('gemini.jsonl')).entries).toEqual(decoded(fixture('gemini.json')).entries)
    expect(decoded(fixture('gemini.jsonl'))).toMatchObject({ title: 'The port', models: ['google/gemini-3-pro'] })
  })

  it('takes a snapshot of the state for a compaction', () => {
    const document = JSON.parse(fixture('gemini.json'))
    document.messages.unshift({ id: 'g0', type: 'user', content: '<state_snapshot>All is well.</state_snapshot>' })
    expect(decoded(JSON.stringify(document)).compactions).toHaveLength(1)
  })
})
