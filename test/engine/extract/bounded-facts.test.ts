import { describe, expect, it } from 'vitest'
import { boundedFacts } from '../../../src/engine/extract/bounded-facts.ts'
import { mergeIndexes } from '../../../src/model/facts/log-index.ts'
import type { FileFact } from '../../../src/model/types.ts'

const users = (count: number, characters: number) =>
  Array.from({ length: count }, (_, i) => ({ seq: i + 1, text: `${i} `.padEnd(characters, 'x') }))
const file = (path: string, seq: number, access: 'read' | 'modified'): FileFact => ({
  path,
  access,
  seq,
  ...(access === 'modified' ? { modified: seq } : {}),
})

describe('what is stored of a span’s facts', () => {
  it('is all of them when they are few', () => {
    const delta = { users: users(20, 100), constraints: [{ seq: 1, text: 'never' }] }
    expect(boundedFacts(delta)).toEqual(delta)
  })

  it('is not a second copy of the log: the newest messages of the user, the first one, and how many were left out', () => {
    const stored = boundedFacts({ users: users(1_000, 1_000) }, 40_000)
    expect(JSON.stringify(stored).length).toBeLessThan(42_000)
    expect(stored.users?.[0]?.seq).toBe(1)
    expect(stored.users?.at(-1)?.seq).toBe(1_000)
    expect((stored.leftOut?.users ?? 0) + (stored.users?.length ?? 0)).toBe(1_000)
    // The count goes on through later compactions.
    const later = boundedFacts({ ...stored, users: [...(stored.users ?? []), ...users(200, 1_000)] }, 40_000)
    expect((later.leftOut?.users ?? 0) + (later.users?.length ?? 0)).toBe(1_200)
  })

  it('has long messages shortened before any is left out', () => {
    const pastes = users(6, 20_000)
    const said = Array.from({ length: 15 }, (_, i) => ({ seq: 100 + i, text: `request ${i}` }))
    const stored = boundedFacts({ users: [...said, ...pastes].toSorted((a, b) => a.seq - b.seq) }, 60_000)
    expect(stored.users).toHaveLength(21)
    expect(stored.leftOut).toBeUndefined()
    for (const { text } of stored.users ?? []) expect(text.startsWith('request') || text.length > 1_000).toBe(true)
  })

  it('has the first message whole as far as a record shows it, and a long later one by head and tail', () => {
    const stored = boundedFacts({ users: users(2, 20_000) }, 200_000, 50_000)
    expect(stored.users?.map(({ text }) => text.length > 19_000)).toEqual([true, false])
    expect(stored.users?.[1]).toMatchObject({ length: 20_000, text: expect.stringContaining('recall #2') })
  })

  it('has what stays in a record before what was only seen, whatever comes first', () => {
    const delta = {
      printed: Array.from({ length: 400 }, (_, i) => ({ seq: 900 + i, text: `shard ${i} holds ${i + 500} rows` })),
      identifiers: Array.from({ length: 400 }, (_, i) => ({ kind: 'name' as const, text: `name${i}`, seq: 900 + i })),
      files: [
        ...Array.from({ length: 400 }, (_, i) => file(`lib/read-${i}.ts`, 900 + i, 'read')),
        ...Array.from({ length: 20 }, (_, i) => file(`src/changed-${i}.ts`, i + 2, 'modified')),
      ],
      users: users(10, 100),
      constraints: [{ seq: 1, text: 'Never push.' }],
      todos: [{ kind: 'list' as const, seq: 3, items: [{ text: 'publish', status: 'pending' as const }] }],
      commits: [{ seq: 4, subject: 'Add a', hash: 'abcdef1' }],
      narratives: [{ seq: 5, text: 'It builds.' }],
    }
    const stored = boundedFacts(delta, 10_000)
    for (const kind of ['users', 'constraints', 'todos', 'commits', 'narratives'] as const)
      expect(stored[kind]).toEqual(delta[kind])
    const changed = stored.files?.filter(({ access }) => access === 'modified')
    expect(changed).toHaveLength(20)
    expect(JSON.stringify(stored).length).toBeLessThan(10_500)
    expect(mergeIndexes([stored]).users).toHaveLength(10)
  })

  it('has the to-dos, however many files were changed since', () => {
    const todos = [{ kind: 'list' as const, seq: 3, items: [{ text: 'publish', status: 'pending' as const }] }]
    const files = Array.from({ length: 900 }, (_, i) => file(`src/changed-${i}.ts`, i + 10, 'modified'))
    const stored = boundedFacts({ files, todos }, 10_000)
    expect(stored.todos).toEqual(todos)
    expect(stored.files?.at(-1)?.seq).toBe(909)
  })

  it('keeps what was used again before what was not, and the rest in the order of the log', () => {
    const statements = Array.from({ length: 300 }, (_, i) => ({
      kind: 'reason' as const,
      seq: i + 2,
      text: `Part ${i} is slow because it reads all of its files.`,
      ...(i === 7 ? { times: 4 } : {}),
    }))
    const { statements: kept = [] } = boundedFacts({ statements }, 6_000)
    const seqs = kept.map(({ seq }) => seq)
    expect(seqs).toContain(9)
    expect(seqs).toContain(301)
    expect(seqs).not.toContain(8)
    expect(seqs).toEqual(seqs.toSorted((a, b) => a - b))
  })

  it('has an instruction file by its head', () => {
    const one = { path: 'AGENTS.md', seq: 3, how: 'read' as const, text: 'Use tabs.\n'.repeat(2_000) }
    const [stored] = boundedFacts({ instructionFiles: [one] }).instructionFiles ?? []
    expect(stored?.text?.length).toBeLessThan(9_000)
    expect(stored?.length).toBe(20_000)
  })
})
