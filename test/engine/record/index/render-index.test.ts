import { describe, expect, it } from 'vitest'
import { renderIndex } from '../../../../src/engine/record/index/render-index.ts'
import { emptyIndex } from '../../../../src/model/facts/log-index.ts'
import type { FileFact, Index } from '../../../../src/model/types.ts'
import { featureEstimator } from '../../../../src/tokens/estimate/feature-estimator.ts'

const roomy = { indexTokens: 10_000, userTokens: 1_000 }
const rendered = (index: Partial<Index>, budget = roomy) =>
  renderIndex({ ...emptyIndex, ...index }, budget).join('\n\n')
const files = (count: number, access: FileFact['access'] = 'read'): FileFact[] =>
  Array.from({ length: count }, (_, i) => ({ path: `src/engine/file-${i + 1}.ts`, access, seq: i + 1 }))
const users = (count: number, length = 40): Index['users'] =>
  Array.from({ length: count }, (_, i) => ({ seq: i + 1, text: `request ${i + 1} `.padEnd(length, 'x') }))

describe('the rendered index', () => {
  it('is nothing when there are no facts', () => {
    expect(renderIndex(emptyIndex, roomy)).toEqual([])
  })

  it('has what the user said verbatim, with its handle', () => {
    const text = rendered({
      users: [
        { seq: 3, text: 'build it' },
        { seq: 9, text: 'in Rust\nplease' },
      ],
    })
    expect(text).toMatch(/#3 build it/)
    expect(text).toMatch(/#9\s+in Rust\nplease/)
  })

  it('lists a command that failed and then passed once, as passed', () => {
    const commands = [
      { command: 'npm test', seq: 4, runs: 1, ok: false, exit: 1 },
      { command: 'cd /repo && npm test', seq: 8, runs: 2, ok: true, exit: 0 },
    ]
    const errors = [{ text: 'no such table', seq: 5, command: 'npm test' }]
    expect(rendered({ commands, errors })).toBe('## Commands\n- #8 `cd /repo && npm test` (3 times, last ok)')
  })

  it('names the command that fixed an error, and claims no more about others than the log shows', () => {
    const commands = [{ command: 'go test ./...', seq: 8, runs: 1, ok: true }]
    const errors = [
      { text: 'boom', seq: 5, command: 'go test ./a' },
      { text: 'no such table', seq: 6, command: 'node b.js' },
    ]
    const text = rendered({ commands, errors })
    expect(text).toContain('#5 `go test ./a`: boom (then `go test ./...` passed #8)')
    expect(text).toContain('#6 `node b.js`: no such table (not resolved as far as the log shows)')
  })

  it('lists files that are gone apart from those that were modified', () => {
    const gone: FileFact[] = [
      { path: 'a.ts', access: 'deleted', seq: 5, modified: 2, deleted: 5 },
      { path: 'b.ts', access: 'deleted', seq: 7, deleted: 7, to: 'c.ts' },
      { path: 'c.ts', access: 'modified', seq: 7, modified: 7, moved: 7, from: 'b.ts' },
      { path: 'd.ts', access: 'reverted', seq: 9, modified: 3, reverted: 9 },
    ]
    const text = rendered({ files: gone })
    expect(text).toContain('## Files modified\n- c.ts\n')
    expect(text).toContain(
      '## Files deleted, moved or reverted\n- d.ts (reverted #9)\n- b.ts (moved to c.ts #7)\n- a.ts (deleted #5)',
    )
  })

  it('names the id of a to-do that a call can change, and none if the list is written as a whole', () => {
    const change = { kind: 'change', seq: 1, id: '7', text: 'Ship it', status: 'in-progress' } as const
    expect(rendered({ todos: [change] })).toContain('- [~] (7) Ship it')
    const list = { kind: 'list', seq: 1, items: [{ text: 'Ship it', status: 'done' }] } as const
    expect(rendered({ todos: [{ ...list, items: [...list.items] }] })).toContain('- [x] Ship it')
  })

  it('says a folder once for all of its files', () => {
    const text = rendered({ files: [...files(3, 'modified'), { path: 'a.ts', access: 'modified', seq: 9 }] })
    expect(text.split('src/engine/')).toHaveLength(2)
    for (const name of ['file-1.ts', 'file-2.ts', 'file-3.ts', 'a.ts']) expect(text).toContain(name)
  })

  it('has the whole path of a file that is alone in its folder', () => {
    expect(rendered({ files: [{ path: 'src/cli/main.ts', access: 'read', seq: 1 }] })).toContain('- src/cli/main.ts')
  })

  it('keeps modified files apart from those that were only read', () => {
    const sections = renderIndex({ ...emptyIndex, files: [...files(1), ...files(1, 'modified')] }, roomy)
    expect(sections.filter((section) => section.includes('file-1.ts'))).toHaveLength(2)
    expect(sections.map((section) => section.split('\n')[0])).toEqual([
      expect.stringMatching(/modified/i),
      expect.stringMatching(/read/i),
    ])
  })

  it('lists the most frequent names when there is no room for all', () => {
    const once = Array.from({ length: 300 }, (_, i) => ({ kind: 'name' as const, text: `onlyOnce${i}`, seq: i + 10 }))
    const often = { kind: 'name' as const, text: 'loadInvoice', seq: 1, times: 4 }
    const text = rendered({ identifiers: [often, ...once] }, { indexTokens: 200, userTokens: 100 })
    expect(text).toContain('loadInvoice')
    expect(text).not.toContain('onlyOnce0,')
    expect(text).toMatch(/and \d+ more names/)
  })

  it('drops the least recently used files first, and says how many', () => {
    const text = rendered({ files: files(100) }, { indexTokens: 60, userTokens: 100 })
    const kept = text.match(/file-\d+\.ts/g) ?? []
    expect(kept.length).toBeGreaterThan(3)
    expect(kept).toContain('file-100.ts')
    expect(kept).not.toContain('file-1.ts')
    expect(text).toContain(`${100 - kept.length} more files read`)
    expect(text).toMatch(/recall/)
  })

  it('keeps modified files before read ones when there is little room', () => {
    const facts = [
      ...files(20).map((fact) => ({ ...fact, path: `lib/${fact.path}`, seq: 100 })),
      ...files(3, 'modified'),
    ]
    const text = rendered({ files: facts }, { indexTokens: 20, userTokens: 100 })
    expect(text).toContain('file-3.ts')
    expect(text).not.toContain('lib/')
  })

  it('drops the user’s older messages first, but never the first one, and says how many', () => {
    const text = rendered({ users: users(50) }, { indexTokens: 100, userTokens: 100 })
    expect(text).toContain('#1 request 1 ')
    expect(text).toContain('#50 request 50 ')
    expect(text).not.toContain('#2 request 2 ')
    const kept = text.match(/^#\d+ request/gm) ?? []
    expect(text).toContain(`${50 - kept.length} older messages of the user`)
  })

  it('has the first message of the user even when there is no room for an index', () => {
    const text = rendered({ users: users(3), files: files(2) }, { indexTokens: 0, userTokens: 100 })
    expect(text).toContain('request 1')
    expect(text).not.toContain('request 2')
    expect(text).not.toMatch(/older messages|more files read/)
  })

  it('has the head and tail of a message that is too long, with the handle that gives it back', () => {
    const text = rendered(
      { users: [{ seq: 7, text: `HEAD${'x'.repeat(5_000)}TAIL` }] },
      { indexTokens: 1_000, userTokens: 100 },
    )
    expect(text).toMatch(/HEADx+[\s\S]*recall #7[\s\S]*xTAIL/)
    expect(text.length).toBeLessThan(700)
  })

  it('stays within its budget, the first message aside and a line for each kind that was dropped', () => {
    const index = { users: users(80, 200), files: [...files(90), ...files(90, 'modified')] }
    for (const indexTokens of [50, 200, 1_000, 4_000]) {
      const text = rendered(index, { indexTokens, userTokens: 60 })
      expect(featureEstimator.text(text)).toBeLessThan(indexTokens + 60 + 4 * 30)
    }
  })
})
