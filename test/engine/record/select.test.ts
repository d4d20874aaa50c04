import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { partsOfLines, textOfParts } from '../../../src/engine/record/compose.ts'
import { RANK, type ValuedLine } from '../../../src/engine/record/lines/line.ts'
import { recordLines } from '../../../src/engine/record/record-lines.ts'
import { selectLines } from '../../../src/engine/record/select.ts'
import { emptyIndex } from '../../../src/model/facts/log-index.ts'
import type { FileFact, Index } from '../../../src/model/types.ts'
import { featureEstimator } from '../../../src/tokens/estimate/feature-estimator.ts'
import { full } from '../../support/full.ts'

const characters = (text: string) => text.length
/** A line of 20 characters without its heading, or of 60, 40 and 20 if it has three forms. */
const line = (seq: number, more: Partial<ValuedLine> = {}): ValuedLine => ({
  section: 'Now',
  from: [seq],
  order: -seq,
  levels: 1,
  render: (level) => `#${seq} `.padEnd(20 * ((more.levels ?? 1) - level), 'x'),
  kind: 'said',
  chance: 100,
  ...more,
})
const staying = (seq: number, rank: (typeof RANK)[keyof typeof RANK] = RANK.said, more: Partial<ValuedLine> = {}) =>
  line(seq, { levels: 3, stays: { level: 0, rank }, what: 'older messages', ...more })
const chosen = (lines: readonly ValuedLine[], room: number) => selectLines(lines, room, characters)
const textsOf = (lines: readonly ValuedLine[], room: number) => chosen(lines, room).lines.map(({ text }) => text)
/** The entries of the chosen lines with the length of their form; a line that only counts has none. */
const lengthsOf = (lines: readonly ValuedLine[], room: number) =>
  chosen(lines, room).lines.map(({ line: { from }, text }) => [from[0] ?? 'counted', from[0] ? text.length : text])

describe('a selection of lines', () => {
  it('has what stays before what is more likely needed', () => {
    const likely = line(9, { chance: 1_000 })
    expect(lengthsOf([likely, staying(1), staying(2)], 140)).toEqual([
      [1, 60],
      [2, 60],
    ])
    expect(lengthsOf([likely, staying(1), staying(2)], 160)).toHaveLength(3)
  })

  it('takes in the others by their chance for each token, the newer of two alike first', () => {
    const long = line(1, { chance: 200, render: () => 'y'.repeat(80) })
    const short = line(2, { chance: 100 })
    const rare = line(3, { chance: 10 })
    const [older, newer] = [line(4, { section: 'B', chance: 50 }), line(5, { section: 'B', chance: 50 })]
    expect(textsOf([long, short, rare], 31)).toEqual([short.render(0)])
    expect(textsOf([long, short, rare], 52)).toEqual([short.render(0), rare.render(0)])
    expect(textsOf([long, short, rare], 115)).toEqual([long.render(0), short.render(0)])
    expect(textsOf([older, newer], 30)).toEqual([newer.render(0)])
  })

  it('shows a line in a shorter form if its longest finds no room, and longer ones where room is left', () => {
    const one = line(1, { levels: 3 })
    expect(lengthsOf([one], 30)).toEqual([[1, 20]])
    expect(lengthsOf([one], 50)).toEqual([[1, 40]])
    expect(lengthsOf([one], 80)).toEqual([[1, 60]])
    const stays = staying(1, RANK.said, { stays: { level: 2, rank: RANK.said } })
    expect(lengthsOf([stays], 80)).toEqual([[1, 60]])
  })

  it('takes nothing in that is not worth it, and keeps what stays anyway', () => {
    const { lines } = selectLines([line(1), staying(2), line(3)], 1_000, characters, (chance) => chance > 100)
    expect(lines.map(({ line: { from } }) => from)).toEqual([[2]])
  })

  it('has nothing where there is no room, unless something stays', () => {
    expect(chosen([line(1), line(2)], 0)).toEqual({ lines: [], tokens: 0 })
    expect(chosen([], 1_000)).toEqual({ lines: [], tokens: 0 })
    expect(lengthsOf([staying(1, RANK.last, { what: undefined })], 0)).toEqual([[1, 20]])
  })
})

describe('lines that stay and have not enough room', () => {
  const all = [1, 2, 3, 4].map((seq) => staying(seq))

  it('become shorter, the oldest first', () => {
    expect(lengthsOf(all, 220)).toEqual([1, 2, 3, 4].map((seq) => [seq, seq === 1 ? 20 : 60]))
    expect(lengthsOf(all, 150)).toEqual([1, 2, 3, 4].map((seq) => [seq, seq === 4 ? 60 : 20]))
  })

  it('of a low rank give way before those of a higher one, however new they are', () => {
    const nameless = { what: undefined }
    const [request, check] = [staying(1, RANK.last, nameless), staying(2, RANK.open, nameless)]
    const lines = [request, check, staying(8, RANK.said, nameless), staying(9, RANK.said, nameless)]
    const lengths = (room: number) => lengthsOf(lines, room).map(([, length]) => length)
    expect(lengths(180)).toEqual([60, 60, 20, 20])
    expect(lengths(140)).toEqual([60, 20, 20, 20])
    expect(lengths(100)).toEqual([20, 20, 20, 20])
    const counted = [request, check, staying(8), staying(9)]
    expect(lengthsOf(counted, 160).slice(0, 2)).toEqual([
      [1, 60],
      [2, 20],
    ])
    expect(textsOf(counted, 160).at(-1)).toMatch(/^\(and 2 older messages/)
  })

  it('are counted in one line if there is no room even for their shortest forms, the oldest first', () => {
    const many = Array.from({ length: 20 }, (_, i) => staying(i + 1))
    const shown = chosen(many, 300)
    const seqs = shown.lines.flatMap(({ line: { from } }) => from)
    expect(seqs).toEqual(many.slice(-seqs.length).flatMap(({ from }) => from))
    expect(shown.lines.at(-1)?.text).toBe(`(and ${20 - seqs.length} older messages: search the log with recall)`)
    expect(shown.tokens).toBeLessThanOrEqual(300)
  })

  it('are as old as their own entry, however new the check is that they share', () => {
    const files = Array.from({ length: 20 }, (_, i) => staying(i + 1, RANK.open, { from: [i + 1, 99], order: 20 - i }))
    const seqs = chosen(files, 300).lines.flatMap(({ line: { from } }) => from.slice(0, 1))
    expect(seqs).toEqual(Array.from({ length: seqs.length }, (_, i) => 21 - seqs.length + i))
    expect(seqs.length).toBeGreaterThan(5)
  })

  it('stay if nothing could say what they are', () => {
    const request = staying(1, RANK.last, { what: undefined })
    expect(lengthsOf([request, staying(2)], 10)).toEqual([
      [1, 20],
      ['counted', '(and 1 older messages: search the log with recall)'],
    ])
  })

  it('are counted by the folders that have most of them, if they are files', () => {
    const files = Array.from({ length: 40 }, (_, i) =>
      staying(i + 1, RANK.open, { what: 'more files', folder: i < 20 ? 'src/' : i < 30 ? '' : `f${i}/` }),
    )
    const [text] = textsOf(files, 0)
    expect(text).toBe(
      '(and 40 more files: 20 in src/, 10 in ., 1 in f30/, 1 in f31/, 1 in f32/, 1 in f33/, …; search the log with recall)',
    )
  })

  it('are counted in little room, however long the names of their folders are', () => {
    const files = Array.from({ length: 40 }, (_, i) =>
      staying(i + 1, RANK.open, { what: 'more files', folder: `${'deep-folder/'.repeat(30)}part-${i}/` }),
    )
    const [text = ''] = textsOf(files, 0)
    expect(text).toContain('1 in …eep-folder/deep-folder/part-0/')
    expect(text.length).toBeLessThan(340)
  })

  it('are counted under their heading, after the others of it', () => {
    const said = [1, 2, 3, 4, 5, 6].map((seq) => staying(seq, RANK.said, { heading: 'Said' }))
    const text = textOfParts(partsOfLines(chosen(said, 130).lines))
    expect(text).toMatch(/^## Now\n### Said\n(?:#\d x+\n)+\(and \d older messages: search the log with recall\)$/)
  })
})

const lines = fc.array(
  fc.record({
    length: fc.integer({ min: 1, max: 300 }),
    levels: fc.integer({ min: 1, max: 4 }),
    rank: fc.constantFrom(undefined, ...Object.values(RANK)),
    isCounted: fc.boolean(),
    section: fc.constantFrom('Now', 'Current state'),
    heading: fc.constantFrom(undefined, 'Checks, the last run of each'),
    chance: fc.integer({ min: 0, max: 400 }),
  }),
  { maxLength: 40 },
)

describe('any selection', () => {
  it('shows or counts each line that stays, once, and has the size that it says or less', () => {
    const run = fc.property(lines, fc.integer({ min: 0, max: 4_000 }), (given, room) => {
      const all = given.map(({ length, rank, isCounted, ...more }, i): ValuedLine => {
        const kind = isCounted ? { what: `more of ${more.section}` } : {}
        const stays = rank === undefined ? {} : { stays: { level: 0, rank } }
        return {
          ...more,
          ...kind,
          ...stays,
          from: [i + 1],
          order: i,
          kind: 'said',
          render: (level) => `#${i + 1} `.padEnd(Math.ceil(length / (level + 1)), 'x'),
        }
      })
      const { lines: shown, tokens } = chosen(all, room)
      const seqs = shown.flatMap(({ line: { from } }) => from)
      expect(seqs).toEqual([...new Set(seqs)])
      const counted = shown.flatMap(({ line: { from }, text }) =>
        from.length > 0 ? [] : [Number(/^\(and (\d+) /.exec(text)?.[1])],
      )
      const stay = all.filter(({ stays }) => stays !== undefined)
      const absent = stay.filter(({ from: [seq = 0] }) => !seqs.includes(seq))
      expect(counted.reduce((sum, count) => sum + count, 0)).toBe(absent.length)
      expect(counted).not.toContain(0)
      expect(absent.filter(({ what }) => what === undefined)).toEqual([])
      expect(textOfParts(partsOfLines(shown)).length).toBeLessThanOrEqual(Math.max(1, tokens))
      // Over the room only if nothing can give way any more.
      if (tokens <= room) return
      expect(absent).toHaveLength(stay.filter(({ what }) => what !== undefined).length)
      for (const { line: one, text } of shown) if (one.from.length > 0) expect(text).toBe(one.render(one.levels - 1))
    })
    fc.assert(run, { numRuns: full ? 20_000 : 500 })
  })
})

const REQUESTS = ['Make the parsers quick, all of them.', 'Now the parser of part 9, as quick as that of part 8.']

/** The facts of a session that is longer than any record. */
function longSession(messages: number, files: number): Index {
  const last = messages + files
  return {
    ...emptyIndex,
    users: [
      { seq: 1, text: REQUESTS[0] ?? '' },
      ...Array.from({ length: messages - 2 }, (_, i) => ({
        seq: i + 2,
        text: `What about part ${i}? ${'It is slow on some days, I think. '.repeat(i % 30)}`,
      })),
      { seq: last + 1, text: REQUESTS[1] ?? '' },
    ],
    files: Array.from({ length: files }, (_, i): FileFact => {
      const seq = messages + i
      const path = `/home/me/project/packages/part-${i % 97}/src/module-${i}.ts`
      return i % 3 === 0 ? { path, access: 'read', seq } : { path, access: 'modified', seq, modified: seq }
    }),
    commands: [
      { command: 'npm test', seq: last - 2, runs: 9, ok: false, tests: { passed: 12, failed: 1 } },
      { command: 'npx tsc --noEmit', seq: last - 3, runs: 9, ok: true },
    ],
    errors: [{ command: 'npm test', seq: last - 1, text: 'AssertionError: expected 1 to be 2' }],
    todos: [
      {
        kind: 'list',
        seq: last - 5,
        items: [
          { text: 'measure on Windows', status: 'in-progress' },
          { text: 'publish', status: 'pending' },
          { text: 'read the code', status: 'done' },
        ],
      },
    ],
  }
}

describe('a record of a session that is much longer than its room', () => {
  const cost = featureEstimator.text
  const select = (index: Index, room: number) =>
    selectLines(recordLines({ index, items: [], shown: [], most: 8_000, isDigest: true }), room, cost)
  const textIn = (index: Index, room: number) => textOfParts(partsOfLines(select(index, room).lines))
  const KEPT = [
    ...REQUESTS,
    '- tests `npm test` FAILED: 12 passed, 1 failed',
    '- type check `npx tsc --noEmit` passed',
    '[~] measure on Windows',
    '[ ] publish',
    '[x] 1 done',
    'AssertionError: expected 1 to be 2',
  ]

  it('of 1,000 messages and 5,000 files has the requests, the open checks and the to-dos, and keeps to its room', () => {
    const index = longSession(1_000, 5_000)
    const run = fc.property(fc.integer({ min: 2_700, max: 3_300 }), (room) => {
      const text = textIn(index, room)
      for (const kept of KEPT) expect(text).toContain(kept)
      expect(text).toMatch(/\(and \d+ older messages of the user: search the log with recall\)/)
      expect(text).toMatch(/\(and \d+ more files that .*: \d+ in part-\d+\/src\/, .*; search the log with recall\)/)
      const files = [...text.matchAll(/module-(\d+)\.ts/g)].map(([, nth]) => Number(nth))
      expect(Math.min(...files)).toBeGreaterThan(4_500)
      expect(cost(text)).toBeLessThanOrEqual(Math.max(room, cost(textIn(index, 0))))
    })
    fc.assert(run, { numRuns: full ? 30 : 2 })
  })

  it('of any length and room does, too', () => {
    const sizes = [
      fc.integer({ min: 2, max: 300 }),
      fc.integer({ min: 0, max: 300 }),
      fc.integer({ min: 1_000, max: 20_000 }),
    ]
    const run = fc.property(fc.tuple(...sizes), ([messages = 2, files = 0, room = 0]) => {
      const index = longSession(messages, files)
      const text = textIn(index, room)
      for (const kept of KEPT) expect(text).toContain(kept)
      expect(cost(text)).toBeLessThanOrEqual(Math.max(room, cost(textIn(index, 0))))
    })
    fc.assert(run, { numRuns: full ? 300 : 12 })
  })
})
