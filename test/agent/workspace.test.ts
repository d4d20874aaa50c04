import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, describe, expect, it } from 'vitest'
import { filePlaceOf } from '../../src/agent/workspace.ts'
import { full } from '../support/full.ts'

const root = realpathSync(mkdtempSync(join(tmpdir(), 'pith-workspace-')))
const workspace = join(root, 'work')
const home = join(root, 'home')
afterAll(() => rmSync(root, { recursive: true, force: true }))
for (const folder of ['work/src/deep', 'work-2', 'outside/sub', 'home'])
  mkdirSync(join(root, folder), { recursive: true })
writeFileSync(join(root, 'work/src/a.ts'), '')
writeFileSync(join(root, 'outside/secret'), '')
const links: Record<string, string> = {
  out: '../outside',
  'to-secret': join(root, 'outside/secret'),
  dangling: '../outside/not-yet',
  chain: 'out/sub',
  in: 'src/deep',
  'dangling-in': 'src/not-yet',
  'src/up': '../..',
}
for (const [name, target] of Object.entries(links)) symlinkSync(target, join(workspace, name))
symlinkSync('loop-b', join(workspace, 'loop-a'))
symlinkSync('loop-a', join(workspace, 'loop-b'))

describe('where a path leads', () => {
  it.each([
    ['src/a.ts', 'src/a.ts'],
    ['./src//a.ts', 'src/a.ts'],
    ['src/../src/a.ts', 'src/a.ts'],
    [join(workspace, 'src/a.ts'), 'src/a.ts'],
    ['../work/src/a.ts', 'src/a.ts'],
    ['.', '.'],
    ['new/folder/b.ts', 'new/folder/b.ts'],
    ['in/new.ts', 'src/deep/new.ts'],
    ['dangling-in', 'src/not-yet'],
    ['..a', '..a'],
    ['src/up/work/src/a.ts', 'src/a.ts'],
  ])('%s is inside, as %s', async (path, shown) => {
    expect(await filePlaceOf(workspace, path, home)).toEqual({ real: join(workspace, shown), shown, outside: false })
  })

  it.each([
    ['..', root],
    ['../work-2/x', join(root, 'work-2/x')],
    ['/etc/hosts-that-is-not', '/etc/hosts-that-is-not'],
    ['~', home],
    ['~/notes/a.md', join(home, 'notes/a.md')],
    ['out/secret', join(root, 'outside/secret')],
    ['out/new', join(root, 'outside/new')],
    ['to-secret', join(root, 'outside/secret')],
    ['dangling', join(root, 'outside/not-yet')],
    ['dangling/deeper', join(root, 'outside/not-yet/deeper')],
    ['chain', join(root, 'outside/sub')],
    ['src/up/home', home],
  ])('%s is outside, at %s', async (path, real) => {
    expect(await filePlaceOf(workspace, path, home)).toEqual({ real, shown: real, outside: true })
  })

  // The system itself follows at most 40.
  it.runIf(process.platform === 'linux')('is found after forty links to a file that is not there yet', async () => {
    for (let i = 1; i <= 40; i++) symlinkSync(i === 40 ? 'src/at-last' : `step-${i + 1}`, join(workspace, `step-${i}`))
    expect(await filePlaceOf(workspace, 'step-1', home)).toMatchObject({ shown: 'src/at-last', outside: false })
  })

  it('is an error for a link that leads to itself', async () => {
    await expect(filePlaceOf(workspace, 'loop-a', home)).rejects.toThrow('leads to itself')
    await expect(filePlaceOf(workspace, 'loop-a/b', home)).rejects.toThrow()
  })

  it('is never inside for a path that escapes', async () => {
    const segment = fc.constantFrom(
      '..',
      '.',
      '',
      'src',
      'deep',
      'out',
      'up',
      'in',
      'dangling',
      'chain',
      'work',
      'outside',
      'new',
      'secret',
      '~',
      '..a',
    )
    const start = fc.constantFrom('', '/', '~/', `${workspace}/`, `${root}/`, './')
    await fc.assert(
      fc.asyncProperty(start, fc.array(segment, { maxLength: 8 }), async (prefix, segments) => {
        const place = await filePlaceOf(workspace, prefix + segments.join('/'), home)
        const isIn = place.real === workspace || place.real.startsWith(`${workspace}/`)
        expect(place.outside).toBe(!isIn)
        // The kernel would open the same path: no link and no `..` is left in it.
        expect(place.real).not.toMatch(/(?:^|\/)\.\.(?:\/|$)/)
        const again = await filePlaceOf(workspace, place.real, home)
        expect(again).toEqual(place)
      }),
      { numRuns: full ? 500 : 150 },
    )
  })
})
