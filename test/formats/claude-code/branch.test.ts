import { describe, expect, it } from 'vitest'
import { messagesOf, viewOf } from '../../../src/engine.ts'
import { textOf } from '../../../src/model/types.ts'
import { full } from '../../support/full.ts'
import { decoded } from '../fixture.ts'

const words = (text: string) => messagesOf(viewOf(decoded(text).entries)).map(textOf)

describe('a tree that is none', () => {
  const line = (uuid: string, parentUuid: string | null, content: string) =>
    `${JSON.stringify({ type: 'user', uuid, parentUuid, sessionId: 's', message: { role: 'user', content } })}\n`

  it('ends if its parents go in a circle', () => {
    const text = line('a', 'c', 'one') + line('b', 'a', 'two') + line('c', 'b', 'three')
    expect(words(text)).toEqual(['one', 'two', 'three'])
    expect(decoded(text).issues[0]?.reason).toMatch(/circle/)
  })

  it('takes the line before for a parent that is missing', () => {
    const text = line('a', null, 'one') + line('b', 'a', 'two') + line('c', 'lost', 'three')
    expect(words(text)).toEqual(['one', 'two', 'three'])
    expect(decoded(text).issues[0]?.reason).toMatch(/not in the file/)
  })

  it('counts the first of two lines with one id', () => {
    const text = line('a', null, 'one') + line('a', null, 'another') + line('b', 'a', 'two')
    expect(words(text)).toEqual(['one', 'two'])
    expect(decoded(text).issues[0]).toMatchObject({ line: 2 })
  })

  it('may be very many lines deep', () => {
    const LINES = full ? 100_000 : 20_000
    let text = ''
    for (let i = 0; i < LINES; i++) text += line(`n${i}`, i === 0 ? null : `n${i - 1}`, `${i}`)
    expect(decoded(text).counts.messages).toBe(LINES)
  })

  it('may have results without calls, which a compaction repairs', () => {
    const block = { type: 'tool_result', tool_use_id: 'nobody', content: 'lost' }
    const orphan = JSON.stringify({
      type: 'user',
      uuid: 'b',
      parentUuid: 'a',
      message: { role: 'user', content: [block] },
    })
    const session = decoded(`${line('a', null, 'one')}${orphan}\n`)
    expect(session.counts).toMatchObject({ messages: 2, calls: 0, results: 1 })
  })
})
