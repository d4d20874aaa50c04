import { getEventListeners } from 'node:events'
import { symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { find } from '../../../../src/agent/tools/find/find.ts'
import { grep } from '../../../../src/agent/tools/grep/grep.ts'
import { ls } from '../../../../src/agent/tools/ls/ls.ts'
import { full } from '../../../support/full.ts'
import { TestWorkspace } from '../support.ts'

function project(): TestWorkspace {
  const space = new TestWorkspace()
  space.put('.gitignore', 'node_modules\n*.log\n!keep.log\n/dist/\n')
  space.put('node_modules/x/index.js', 'needle\n')
  space.put('debug.log', 'needle\n')
  space.put('keep.log', 'needle\n')
  space.put('.git/config', 'needle\n')
  space.put('.env', 'TOKEN=needle\n')
  space.put('src/b.ts', 'before\nneedle(1)\nafter\n')
  space.put('src/a.ts', 'Needle here\nand a needle\n')
  space.put('src/deep/c.test.tsx', 'x\n')
  space.put('dist/out.js', 'needle\n')
  return space
}

describe('grep', () => {
  it('shows matching lines file by file, sorted, without what git ignores', async () => {
    const space = project()
    const { signal } = new AbortController()
    const { request, output } = await space.call(grep, { pattern: 'needle' }, { signal })
    expect(output.text).toBe(
      '.env\n1: TOKEN=needle\n\nkeep.log\n1: needle\n\nsrc/a.ts\n2: and a needle\n\nsrc/b.ts\n2: needle(1)',
    )
    expect(request).toEqual({ kind: 'read', path: '.', outside: false })
    expect(getEventListeners(signal, 'abort')).toEqual([])
  })

  it('searches a folder, a file, a glob, and what is ignored when asked', async () => {
    const space = project()
    expect(await space.outputOf(grep, { pattern: 'needle', path: 'src/b.ts' })).toBe('src/b.ts\n2: needle(1)')
    expect(await space.outputOf(grep, { pattern: 'needle', path: 'src', glob: 'a.*' })).toBe(
      'src/a.ts\n2: and a needle',
    )
    expect(await space.outputOf(grep, { pattern: 'needle', path: 'node_modules' })).toContain('node_modules/x/index.js')
    expect(await space.outputOf(grep, { pattern: 'needle', ignored: true })).toContain('dist/out.js')
    expect(await space.outputOf(grep, { pattern: 'needle', ignored: true })).not.toContain('.git/config')
    expect(await space.outputOf(grep, { pattern: 'needle', glob: '*.js' })).toBe(
      'No matches for `needle` in . (what .gitignore names was not searched).',
    )
    expect(await space.outputOf(grep, { pattern: 'needle', glob: '*.rs', ignored: true })).toBe(
      'No matches for `needle` in ..',
    )
  })

  it('shows lines around a match, takes plain text and either case', async () => {
    const space = project()
    expect(await space.outputOf(grep, { pattern: 'needle(1', literal: true, contextLines: 1 })).toBe(
      'src/b.ts\n1- before\n2: needle(1)\n3- after',
    )
    expect(await space.outputOf(grep, { pattern: 'NEEDLE', ignoreCase: true, path: 'src/a.ts' })).toBe(
      'src/a.ts\n1: Needle here\n2: and a needle',
    )
  })

  it('says in one line that a pattern or a glob is bad', async () => {
    const space = project()
    const { output } = await space.call(grep, { pattern: 'needle(' })
    expect(output).toEqual({
      text: 'The pattern `needle(` is not a valid regular expression (unclosed group): escape it, or set literal',
      isError: true,
    })
    expect(await space.outputOf(grep, { pattern: 'x', glob: '{a' })).toMatch(
      /^The glob `\{a` is not valid: unclosed[^\n]*$/,
    )
  })

  it('takes a pattern that looks like an option or a command as a pattern', async () => {
    const space = project()
    space.put('odd.txt', '--files; $(touch ran)\n')
    expect(await space.outputOf(grep, { pattern: '--files' })).toBe('odd.txt\n1: --files; $(touch ran)')
    expect(await space.outputOf(grep, { pattern: '$(touch ran)', literal: true })).toContain('odd.txt')
    expect(await space.outputOf(find, { pattern: '--help' })).toContain('No files match')
    expect(await space.outputOf(grep, { pattern: 'x', path: '--version' })).toContain('No such file')
    expect(await space.outputOf(ls, {})).not.toMatch(/^ran/m)
  })

  it('stops at its limit and says so', async () => {
    const space = new TestWorkspace()
    space.put('many.txt', 'needle\n'.repeat(1_000))
    const lines = (await space.outputOf(grep, { pattern: 'needle', limit: 3 })).split('\n')
    expect(lines).toEqual([
      'many.txt',
      '1: needle',
      '2: needle',
      '3: needle',
      '(Only the first 3 matches: narrow the pattern, path or glob.)',
    ])
  })

  it('shows no more than the view does', async () => {
    const space = new TestWorkspace()
    for (let i = 0; i < 300; i++) space.put(`some/folder/file-${i}.txt`, 'needle\n')
    for (const [tool, input] of [
      [grep, { pattern: 'needle', limit: 1_000 }],
      [find, { pattern: '*' }],
    ] as const) {
      const text = await space.outputOf(tool, input, { shownCharacters: 2_000 })
      expect(text.length).toBeLessThanOrEqual(2_000)
      expect(text).toMatch(/\(Only the first \d+ (?:matches|paths): narrow/)
    }
  })

  it('cuts long lines and survives binary files', async () => {
    const space = new TestWorkspace()
    space.put('min.js', `${'x'.repeat(100_000)}needle${'x'.repeat(100_000)}`)
    space.put('data.bin', Buffer.from('needle\0\n'))
    const text = await space.outputOf(grep, { pattern: 'needle' })
    expect(text.length).toBeLessThan(1_500)
    expect(text).toMatch(/^min\.js\n1: x+ \[\.\.\. omitted end of long line\]$/)
    expect(await space.outputOf(grep, { pattern: 'needle', path: 'data.bin' })).toBe('data.bin\nbinary file matches')
  })

  it('shows a line with a carriage return or another separator inside whole', async () => {
    const space = new TestWorkspace()
    space.put('a.txt', 'one\rneedle 1\r\ntwo\u2028needle 2\n')
    expect(await space.outputOf(grep, { pattern: 'needle' })).toBe('a.txt\n1: one\rneedle 1\n2: two\u2028needle 2')
  })

  it('keeps out what a rule forbids to read', async () => {
    const space = project()
    const text = await space.outputOf(grep, { pattern: 'needle' }, { mayRead: (path) => path !== '.env' })
    expect(text).not.toContain('TOKEN')
    expect(text).toContain('(1 matches are in files that a rule keeps from being read.)')
    const few = await space.outputOf(grep, { pattern: 'needle', limit: 1 }, { mayRead: (path) => path !== '.env' })
    expect(few.split('\n').slice(-2)).toEqual([
      '(Only the first 1 matches: narrow the pattern, path or glob.)',
      '(1 matches are in files that a rule keeps from being read.)',
    ])
  })

  it('does not follow links out of the workspace, and asks for a folder outside', async () => {
    const space = project()
    writeFileSync(join(space.outside, 'o.txt'), 'needle\n')
    symlinkSync(space.outside, join(space.folder, 'link'))
    expect(await space.outputOf(grep, { pattern: 'needle' })).not.toContain('o.txt')
    const { request, output } = await space.call(grep, { pattern: 'needle', path: 'link' })
    expect(request).toMatchObject({ outside: true, path: space.outside })
    expect(output.text).toBe(`${space.outside}/o.txt\n1: needle`)
    expect((await grep.run({ pattern: 'needle', path: 'link' }, space.context)).isError).toBe(true)
  })

  it('stops when it is aborted', async () => {
    const space = project()
    expect(await space.outputOf(grep, { pattern: 'x' }, { signal: AbortSignal.abort() })).toContain('Aborted')
  })
})

describe('find', () => {
  it('finds names in any folder, sorted, without what git ignores', async () => {
    const space = project()
    expect(await space.outputOf(find, { pattern: '*.{ts,tsx}' })).toBe('src/a.ts\nsrc/b.ts\nsrc/deep/c.test.tsx')
    expect(await space.outputOf(find, { pattern: '*.log' })).toBe('keep.log')
    expect(await space.outputOf(find, { pattern: '*.log', ignored: true })).toBe('debug.log\nkeep.log')
    expect(await space.outputOf(find, { pattern: '**/*' })).not.toContain('node_modules')
    expect(await space.outputOf(find, { pattern: '.env' })).toBe('.env')
  })

  it('takes a pattern with a slash from its folder', async () => {
    const space = project()
    expect(await space.outputOf(find, { pattern: 'src/*.ts' })).toBe('src/a.ts\nsrc/b.ts')
    expect(await space.outputOf(find, { pattern: 'deep/**', path: 'src' })).toBe('src/deep/c.test.tsx')
    expect(await space.outputOf(find, { pattern: 'src/**/c.*' })).toBe('src/deep/c.test.tsx')
  })

  it('has braces in braces, names that begin with a mark, and paths that begin with a dot', async () => {
    const space = new TestWorkspace()
    for (const name of ['a.ts', 'a.tsx', 'b.js', '!c', '#d', 'A.TS', 'x/e.ts']) space.put(name, '')
    const found = async (pattern: string) => (await space.outputOf(find, { pattern })).split('\n')
    expect(await found('{a.{ts,tsx},b.js}')).toEqual(['a.ts', 'a.tsx', 'b.js'])
    expect(await found('!c')).toEqual(['!c'])
    expect(await found('#d')).toEqual(['#d'])
    expect(await found('./x/*')).toEqual(['x/e.ts'])
    expect(await found('a.{ts')).toEqual([expect.stringContaining('No files match')])
    expect(await found('{a,b}.{ts,js}')).toEqual(['a.ts', 'b.js'])
  })

  it('shows as many paths as there is room for, line ends counted', async () => {
    const space = new TestWorkspace()
    for (let i = 100; i < 300; i++) space.put(`file-${i}`, '')
    // A thousand characters have room for 111 names of eight characters with their line ends.
    const lines = (await space.outputOf(find, { pattern: '*' }, { shownCharacters: 1_400 })).split('\n')
    expect(lines).toHaveLength(112)
    expect(lines.at(-1)).toBe('(Only the first 111 paths: narrow the pattern or the path.)')
  })

  it('says that there is nothing, and where it stopped', async () => {
    const space = project()
    expect(await space.outputOf(find, { pattern: '*.rs' })).toBe(
      'No files match `*.rs` in . (what .gitignore names was left out).',
    )
    expect(await space.outputOf(find, { pattern: '*.rs', ignored: true })).toBe('No files match `*.rs` in ..')
    expect(await space.outputOf(find, { pattern: '*', path: 'src/a.ts' })).toBe(
      'src/a.ts is a file: path must be a folder',
    )
    expect(await space.outputOf(find, { pattern: '*.ts', limit: 1 })).toBe(
      'src/a.ts\n(Only the first 1 paths: narrow the pattern or the path.)',
    )
    expect(await space.outputOf(find, { pattern: '*', path: 'srk' })).toContain('did you mean src?')
  })
})

describe('ls', () => {
  it('lists folders, files with sizes and links, also what is ignored', async () => {
    const space = project()
    symlinkSync('src/a.ts', join(space.folder, 'link'))
    expect(await space.outputOf(ls, {})).toBe(
      [
        '.env (13 bytes)',
        '.gitignore (36 bytes)',
        'debug.log (7 bytes)',
        'dist/',
        'keep.log (7 bytes)',
        'link -> src/a.ts',
        'node_modules/',
        'src/',
      ].join('\n'),
    )
    expect(await space.outputOf(ls, { path: 'src' })).toBe('a.ts (25 bytes)\nb.ts (23 bytes)\ndeep/')
  })

  it('has a limit, and answers for a file, an empty and a missing folder', async () => {
    const space = new TestWorkspace()
    expect(await space.outputOf(ls, {})).toBe('. is empty.')
    for (const name of ['c', 'a', 'b']) space.put(name, '')
    expect(await space.outputOf(ls, { limit: 2 })).toBe('a (0 bytes)\nb (0 bytes)\n(1 more: set limit, or use find)')
    expect(await space.outputOf(ls, { path: 'a' })).toBe('a is a file: read it with read')
    expect((await space.call(ls, { path: 'nowhere' })).output.isError).toBe(true)
  })
})

describe('an ignore file of a cloned repository', () => {
  it('is not quoted when ripgrep does not understand a line of it', async () => {
    const space = new TestWorkspace()
    space.put('a.ts', 'needle')
    writeFileSync(join(space.outside, 'key'), 'secret={of the user\n')
    symlinkSync(join(space.outside, 'key'), join(space.folder, '.gitignore'))
    expect(await space.outputOf(grep, { pattern: 'needle' })).toBe('a.ts\n1: needle')
  })

  it.runIf(full && process.platform === 'linux')('that never ends ends the search, not the machine', async () => {
    const space = new TestWorkspace()
    space.put('a.ts', 'needle')
    symlinkSync('/dev/zero', join(space.folder, '.gitignore'))
    expect(await space.outputOf(grep, { pattern: 'needle' })).toContain('ripgrep needs too much memory')
  })
})
