import { describe, expect, it } from 'vitest'
import { storedDelta } from '../../../src/engine/extract/stored-delta.ts'
import { renderIndex } from '../../../src/engine/record/index/render-index.ts'
import { mergeIndexes } from '../../../src/model/facts/log-index.ts'

const users = (count: number, characters: number) =>
  Array.from({ length: count }, (_, i) => ({ seq: i + 1, text: `${i} `.padEnd(characters, 'x') }))

describe('what is stored of a span’s facts', () => {
  it('is all of them when they are few', () => {
    const delta = { users: users(20, 100), constraints: [{ seq: 1, text: 'never' }] }
    expect(storedDelta(delta, true, 1_000)).toEqual(delta)
  })

  it('is not a second copy of the log: the newest messages of the user, and how many were left out', () => {
    const stored = storedDelta({ users: users(1_000, 1_000) }, false, 1_000)
    expect(JSON.stringify(stored).length).toBeLessThan(40_000)
    expect(stored.users?.at(-1)?.seq).toBe(1_000)
    expect((stored.leftOut?.users ?? 0) + (stored.users?.length ?? 0)).toBe(1_000)
    const text = renderIndex(mergeIndexes([stored]), { indexTokens: 500, userTokens: 500 }).join('\n')
    const shown = text.match(/^#\d+ /gm)?.length ?? 0
    expect(text).toContain(`(and ${1_000 - shown} older messages of the user`)
  })

  it('has long messages shortened before any is left out', () => {
    const pastes = users(6, 20_000)
    const said = Array.from({ length: 15 }, (_, i) => ({ seq: 100 + i, text: `request ${i}` }))
    const stored = storedDelta({ users: [...said, ...pastes].toSorted((a, b) => a.seq - b.seq) }, false, 1_000)
    expect(stored.users).toHaveLength(21)
    expect(stored.leftOut).toBeUndefined()
    for (const { text } of stored.users ?? []) expect(text.startsWith('request') || text.length > 1_000).toBe(true)
  })

  it('has the first message of all whole, and a long later one by head and tail', () => {
    const stored = storedDelta({ users: users(2, 20_000) }, true, 50_000)
    expect(stored.users?.map(({ text }) => text.length > 19_000)).toEqual([true, false])
    expect(stored.users?.[1]).toMatchObject({ length: 20_000, text: expect.stringContaining('recall #2') })
  })

  it('has the names that are said again and again before those that were said once, however old', () => {
    const once = Array.from({ length: 500 }, (_, i) => ({ kind: 'name' as const, text: `nameNumber${i}`, seq: i + 10 }))
    const often = { kind: 'name' as const, text: 'loadInvoice', seq: 1, times: 4 }
    const link = { kind: 'url' as const, text: 'https://example.com/a', seq: 2 }
    const stored = storedDelta({ identifiers: [often, link, ...once] }, false, 1_000)
    expect(stored.identifiers?.slice(0, 2)).toEqual([often, link])
    expect(stored.identifiers).toHaveLength(200)
    expect(stored.leftOut?.identifiers).toBe(302)
  })
})
