import { describe, expect, it } from 'vitest'
import {
  ignoredIn,
  listedFiles,
  loggedCommits,
  reportedFiles,
  statusOutput,
} from '../../../../src/engine/extract/ledger/git-output.ts'

describe('git status', () => {
  it.each([
    ['## main...origin/main\n M a.ts\n?? "b c.ts"', ['a.ts', 'b c.ts']],
    ['HEAD detached at 1a2b3c4\nChanges to be committed:\n\trenamed:    a.ts -> b.ts', ['a.ts', 'b.ts']],
    ['Unmerged paths:\n  (use "git add")\n\tboth modified:   a.ts\n\tdeleted by us:   b.ts', ['a.ts', 'b.ts']],
    ['Untracked files:\n  (use "git add")\n\n\ta.ts\n\tb.ts', ['a.ts', 'b.ts']],
    ['(Bash completed with no output)', []],
    ['  \n', []],
  ])('lists %j', (output, paths) => expect(statusOutput(output)).toEqual({ paths, whole: true }))

  it('does not list what another command printed after it or beside it', () => {
    const untracked =
      'Untracked files:\n\ta.ts\n\nnothing added to commit but untracked files present\nall:\n\tcc main.c\n'
    expect(statusOutput(untracked)?.paths).toEqual(['a.ts'])
    expect(statusOutput('On branch main\n\tcc main.c\nsee ?? b.ts\nthe\tmodified: c.ts')?.paths).toEqual([])
  })

  it('is not any other text', () => {
    expect(statusOutput('fatal: not a git repository\n\n')).toBeUndefined()
    expect(statusOutput('it is now On branch main')).toBeUndefined()
    expect(statusOutput('no output yet')).toBeUndefined()
    expect(statusOutput('there is no output')).toBeUndefined()
  })

  it('is a part of the list if it was cut, by the agent or by us', () => {
    const lines = (count: number) => Array.from({ length: count }, (_, i) => ` M ${i}.ts`)
    expect(statusOutput(lines(200).join('\n'))).toMatchObject({ whole: true })
    expect(statusOutput(lines(201).join('\n'))).toMatchObject({ whole: false, paths: { length: 200 } })
    expect(statusOutput([...lines(2), '[12 more lines]'].join('\n'))).toMatchObject({ whole: false })
    expect(statusOutput([...lines(2), ' '.repeat(40_000), ' M z.ts'].join('\n'))).toMatchObject({
      whole: false,
      paths: { length: 2 },
    })
  })
})

describe('the files of a diff', () => {
  it.each([
    ['--stat', ' src/a.ts | 2 +-\n b.png | Bin 0 -> 7 bytes\nthe x.ts | 3', ['src/a.ts', 'b.png']],
    ['--stat with paths that name no file', ' .../deep/a.ts | 2 +-\n src/{a => b}/c.ts | 0\n d.ts | 1 +', ['d.ts']],
    ['--name-status', 'M\ta.ts\nR100\tb.ts\tc.ts\nsee M\td.ts', ['a.ts', 'b.ts', 'c.ts']],
    ['a patch', 'diff --git a/a.ts b/a.ts\n+see diff --git a/b.ts b/b.ts', ['a.ts']],
    ['names, if nobody asked for names only', 'a.ts\nb.ts', []],
  ])('%s', (_, output, paths) => expect(listedFiles(output)).toEqual(paths))

  it('are whole lines with --name-only', () => {
    expect(listedFiles('a.ts\nsrc/b.ts\n\nwarning: c.ts\n see d.ts\nexit code: 0\na.ts', true)).toEqual([
      'a.ts',
      'src/b.ts',
    ])
  })

  it('are 200 at most', () => {
    expect(listedFiles(Array.from({ length: 250 }, (_, i) => ` ${i}.ts | 1 +`).join('\n'))).toHaveLength(200)
  })
})

it('a commit reports the files that it creates and deletes', () => {
  const output =
    '[main 1a2b3c4] x\n 2 files changed\n create mode 100644 src/a.ts\n delete mode 100644 b c.ts\nsee create mode 100644 d.ts'
  expect(reportedFiles(output)).toEqual(['src/a.ts', 'b c.ts'])
})

it('git add lists what is ignored', () => {
  expect(
    ignoredIn('The following paths are ignored by one of your .gitignore files:\na.log\nb\nhint: Use -f\nc'),
  ).toEqual(['a.log', 'b'])
  expect(ignoredIn('a.log')).toEqual([])
})

describe('git log', () => {
  it('is read in its short and its long form', () => {
    const hash = '1a2b3c4'.padEnd(40, '0')
    expect(loggedCommits('* 1a2b3c4 (HEAD -> main) Add a\n| * 5d6e7f8 Add b\nsee 9999999 Add c')).toEqual([
      { hash: '1a2b3c4', subject: 'Add a' },
      { hash: '5d6e7f8', subject: 'Add b' },
    ])
    expect(loggedCommits(`commit ${hash} (HEAD)\nAuthor: A <a@b>\nDate:   today\n\n    Add a\n\n    Because.`)).toEqual(
      [{ hash, subject: 'Add a' }],
    )
  })

  it('has 30 commits at most', () => {
    expect(loggedCommits('1a2b3c4 Add a\n'.repeat(40))).toHaveLength(30)
  })
})
