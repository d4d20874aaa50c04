import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { byFolder } from '../../../../src/engine/record/index/by-folder.ts'
import { full } from '../../../support/full.ts'

/** The paths that a list says, read back the way a person does. */
function read(lines: readonly string[]): string[] {
  const open: string[] = []
  return lines.flatMap((line) => {
    const depth = (line.length - line.trimStart().length) / 2
    const text = line.trimStart().slice(2)
    const folder = open.slice(0, depth).join('')
    open.length = depth
    const named = /^(.*[\\/]): (.*)$/.exec(text)
    if (named !== null) return (named[2] ?? '').split(', ').map((name) => folder + named[1] + name)
    if (/[\\/]$/.test(text)) {
      open.push(text)
      return []
    }
    return text.split(', ').map((name) => folder + name)
  })
}

describe('paths by folder', () => {
  it('say a long folder once for the folders in it, indented', () => {
    const root = '/home/someone/work/project/packages/server/'
    expect(byFolder([`${root}src/a.ts`, `${root}src/b.ts`, `${root}test/a.test.ts`, '/tmp/x.log'])).toEqual([
      `- ${root}`,
      '  - src/: a.ts, b.ts',
      '  - test/a.test.ts',
      '- /tmp/x.log',
    ])
  })

  it('of Windows are grouped too', () => {
    expect(byFolder(['C:\\work\\a.ts', 'C:\\work\\b.ts'])).toEqual(['- C:\\work\\: a.ts, b.ts'])
  })

  it('are all there, each name whole, and never longer than a plain list', () => {
    const segment = fc.constantFrom('src', 'test', 'a-long-name-of-a-folder', 'x', 'engine')
    const path = fc
      .tuple(fc.boolean(), fc.array(segment, { maxLength: 8 }), fc.constantFrom('index.ts', 'plan.ts', 'README'))
      .map(([isWhole, folders, name]) => `${isWhole ? '/' : ''}${[...folders, name].join('/')}`)
    fc.assert(
      fc.property(fc.uniqueArray(path, { maxLength: 40 }), (paths) => {
        const lines = byFolder(paths)
        expect(read(lines).toSorted()).toEqual(paths.toSorted())
        expect(lines.join('\n').length).toBeLessThanOrEqual(paths.map((one) => `- ${one}`).join('\n').length + 2)
      }),
      { numRuns: full ? 300 : 100 },
    )
  })
})
