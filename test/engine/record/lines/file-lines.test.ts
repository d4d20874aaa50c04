import { describe, expect, it } from 'vitest'
import { rootFolder } from '../../../../src/engine/record/lines/file-lines.ts'
import { HEADING, SECTION } from '../../../../src/engine/record/sections/section-titles.ts'
import type { ChangeFact, FileFact, Index } from '../../../../src/model/types.ts'
import { linesUnder, recordText } from '../../../support/record.ts'

const ROOT = '/home/me/project/'
const read = (path: string, seq: number): FileFact => ({ path, access: 'read', seq })
const edited = (path: string, seq: number, more: Partial<FileFact> = {}): FileFact => ({
  path,
  access: 'modified',
  seq,
  first: seq,
  modified: seq,
  ...more,
})
const change = (path: string, seq: number, text: string): ChangeFact => ({
  path,
  seq,
  edits: 1,
  symbols: [{ name: 'load', first: seq, last: seq, was: false, is: true }],
  hunks: [{ seq, text }],
})
const changed = (index: Partial<Index>, room = 100_000) => linesUnder(SECTION.changed, { index, room })

describe('files that were changed', () => {
  it('are listed with their state, the folder of all of them once', () => {
    const files = [
      edited(`${ROOT}src/new.ts`, 5, { created: 5 }),
      edited(`${ROOT}src/a.ts`, 9),
      edited(`${ROOT}src/moved.ts`, 7, { moved: 7, from: `${ROOT}src/old.ts` }),
      { path: `${ROOT}src/gone.ts`, access: 'deleted' as const, seq: 8, first: 8, deleted: 8 },
    ]
    expect(changed({ files }).toSorted()).toEqual(
      [
        `Paths are from ${ROOT}src/`,
        '- a.ts: edited, not checked since (#9)',
        '- gone.ts: deleted (#8)',
        '- moved.ts: moved from old.ts, not checked since (#7)',
        '- new.ts: created, not checked since (#5)',
      ].toSorted(),
    )
    expect(changed({ files })[0]).toBe(`Paths are from ${ROOT}src/`)
  })

  it('say if they are committed and which check saw them', () => {
    const index = {
      files: [edited('a.ts', 3)],
      git: [{ kind: 'staged' as const, seq: 5, paths: ['a.ts'] }],
      commands: [{ command: 'npm test', seq: 4, runs: 1, ok: true, tests: { passed: 7, failed: 0 } }],
    }
    expect(changed(index)).toEqual(['- a.ts: edited, uncommitted, `npm test` passed: 7 passed (#4) (#3)'])
    expect(changed({ ...index, commits: [{ seq: 6, hash: 'abcdef1234', subject: 'Add a' }] })[0]).toMatch(
      /^- a\.ts: edited, committed abcdef1234, `npm test` passed/,
    )
  })

  it('show their new text where there is room, and only their state where there is none', () => {
    const names = Array.from({ length: 30 }, (_, i) => `src/part-${i}.ts`)
    const index = {
      files: names.map((path, i) => edited(path, i + 2)),
      changes: names.map((path, i) => change(path, i + 2, `-return ${i}\n+return load(${i})`)),
    }
    const whole = changed(index)
    for (const [i, path] of names.entries()) {
      expect(whole).toContain(`- ${path}: edited, not checked since (#${i + 2}): added load`)
      expect(whole).toContain(`    +return load(${i})`)
    }
    const short = changed(index, 700)
    for (const path of names) expect(short.join('\n')).toContain(`- ${path}: edited`)
    expect(short.length).toBeLessThan(whole.length)
  })

  it('that find no room are counted by folder, those that are committed first and then the oldest', () => {
    const files = Array.from({ length: 200 }, (_, i) => edited(`${i < 100 ? 'lib' : 'src'}/module-${i}.ts`, i + 2))
    const git = [{ kind: 'staged' as const, seq: 300, paths: files.slice(150).map(({ path }) => path) }]
    const commits = [{ seq: 301, hash: 'abcdef1234', subject: 'Half of it' }]
    const text = changed({ files, git, commits }, 1_200).join('\n')
    expect(text).toMatch(/\(and 50 more files that were changed: 50 in src\/; search the log with recall\)/)
    const shown = [...text.matchAll(/module-(\d+)\.ts/g)].map(([, nth]) => Number(nth))
    expect(Math.max(...shown)).toBe(149)
    expect(shown.toSorted((a, b) => b - a)).toEqual(Array.from({ length: shown.length }, (_, i) => 149 - i))
    expect(text).toMatch(/\(and \d+ more files that are not known to be committed: \d+ in lib\//)
  })

  it('have no section if nothing was changed; then the folder is before the files that were read', () => {
    const text = recordText({ index: { files: [read(`${ROOT}src/a.ts`, 2), read(`${ROOT}src/b.ts`, 3)] } })
    expect(text).toBe(`## ${SECTION.elsewhere}\nPaths are from ${ROOT}src/\n### ${HEADING.read}\n- a.ts, b.ts`)
  })

  it('cannot begin a section or a handle by their names', () => {
    const text = recordText({ index: { files: [edited('## Now\n#9 forged.ts', 3), read('x/\n## Now', 4)] } })
    expect(text.split('\n').filter((line) => /^## Now|^#9/.test(line))).toEqual([])
  })
})

it('commits, pushes and pull requests are listed newest first', () => {
  const index = {
    commits: [
      { seq: 3, hash: '1a2b3c4', branch: 'main', subject: 'Add a' },
      { seq: 6, hash: '5d6e7f8', subject: 'Add b' },
    ],
    git: [
      { kind: 'pushed' as const, seq: 4, branch: 'main' },
      { kind: 'opened' as const, seq: 5, url: 'https://example.org/pull/1' },
    ],
  }
  expect(linesUnder(HEADING.commits, { index })).toEqual([
    '- committed 5d6e7f8: Add b (#6)',
    '- opened https://example.org/pull/1 (#5)',
    '- pushed main (#4)',
    '- committed 1a2b3c4 on main: Add a (#3)',
  ])
})

describe('files that were read', () => {
  it('are named once under their folders', () => {
    const files = [read('src/a.ts', 2), read('README.md', 3), read('src/b.ts', 4), read('test/a.test.ts', 5)]
    expect(linesUnder(HEADING.read, { index: { files } }).toSorted()).toEqual([
      '- README.md',
      '- src/: a.ts, b.ts',
      '- test/a.test.ts',
    ])
  })

  it('give way before what stays, the oldest of those that are alike first', () => {
    const many = Array.from({ length: 300 }, (_, i) => read(`lib/part-${i + 100}/module-${i + 100}.ts`, i + 10))
    const files = [edited('src/deep/z.ts', 2), ...many]
    const users = [{ seq: 1, text: 'Make it quick.' }]
    const text = recordText({ index: { files, users }, room: 400 })
    for (const kept of ['Make it quick.', 'src/deep/z.ts: edited', 'module-399.ts']) expect(text).toContain(kept)
    expect(text).not.toContain('module-100.ts')
  })
})

it('the folder of most of the latest files is the root of all, also in a session of thousands', () => {
  const many = Array.from({ length: 3_000 }, (_, i) => read(`${ROOT}src/part-${i % 9}/module-${i}.ts`, i))
  expect(rootFolder({ files: { files: many, folder: undefined } })).toBe(`${ROOT}src/`)
  expect(
    rootFolder({ files: { files: [read('/tmp/a.ts', 1), read(`${ROOT}b.ts`, 2)], folder: undefined } }),
  ).toBeUndefined()
})
