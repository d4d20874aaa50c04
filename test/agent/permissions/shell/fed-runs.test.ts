import { describe, expect, it } from 'vitest'
import { readScript } from '../../../../src/agent/permissions/shell/read-script.ts'

/** The commands that a command line runs besides itself; `…` is a word that is not known. */
function runsOf(command: string): string[] {
  const { runs } = readScript(command, { workspace: '/shop', home: '/home/me' })
  return runs.map(({ words }) => words.map(({ text }) => text ?? '…').join(' ')).filter((run) => run !== command)
}

describe('parallel runs', () => {
  it.each([
    ['parallel git ::: push pull', ['git push', 'git pull']],
    ['parallel -k --bar git ::: push', ['git push']],
    ['parallel git -C . ::: push', ['git -C . push']],
    ['parallel git :::+ push :::+ pull', ['git push', 'git pull']],
    ['parallel git {} now ::: push', ['git push now push']],
    ['parallel $tool ::: push', ['parallel … ::: push', '… push']],
    ['parallel git ::: $word', ['parallel git ::: …', 'git …']],
    // Those words are in a file, or come from its input.
    ['parallel git :::: words.txt', ['git …']],
    ['parallel git ::::+ words.txt', ['git …']],
    ['parallel git ::: push :::: words.txt', ['git …']],
    ['parallel git', ['git …']],
    ['git parallel', []],
    [`parallel git ::: ${'pull '.repeat(50)}push`, ['git …']],
  ])('%s', (command, runs) => {
    expect(runsOf(command)).toEqual(runs)
  })
})

describe('xargs runs', () => {
  it.each([
    ['xargs x <<< "a b"', ['x a b']],
    ['xargs <<< "a b"', ['a b']],
    ['xargs -t -r x y <<< "a b"', ['x y a b']],
    ['xargs -0 x <<< "a b"', ['x a b']],
    ['xargs -d , x <<< "a b"', ['x a b']],
    ['xargs -n 1 x <<< "a b"', ['x a', 'x b']],
    ['xargs -n1 x <<< "a b"', ['x a', 'x b']],
    ['xargs -L 1 x <<< "a b"', ['x a', 'x b']],
    ['xargs -P 2 x <<< "a b"', ['x a', 'x b']],
    ['xargs --max-args=1 x <<< "a b"', ['x a', 'x b']],
    ['xargs --max-args 1 x <<< "a b"', ['x a', 'x b']],
    ['xargs --max-lines 1 x <<< "a b"', ['x a', 'x b']],
    ['xargs --max-procs 2 x <<< "a b"', ['x a', 'x b']],
    ['xargs --max-chars 9 x <<< "a b"', ['x a b']],
    ['xargs --delimiter , x <<< "a b"', ['x a b']],
    ['xargs --eof e x <<< "a b"', ['x a b']],
    ['xargs -s 9 -E e x <<< "a b"', ['x a b']],
    ['xargs -I {} x -{}- <<< "a b"', ['x -a-', 'x -b-']],
    ['xargs -I% x % % <<< "a b"', ['x a a', 'x b b']],
    ['xargs -i x {} y <<< "a b"', ['x a y', 'x b y']],
    ['xargs -i% x % <<< "a b"', ['x a', 'x b']],
    ['xargs --replace x {} <<< "a b"', ['x a', 'x b']],
    ['xargs --replace=% x % <<< "a b"', ['x a', 'x b']],
    ['xargs x < f', ['x …']],
    ['xargs -n 1 x < f', ['x …']],
    ['xargs -I{} x -{} < f', ['x …']],
    ['xargs -a f x', ['x …']],
    ['xargs --arg-file f x', ['x …']],
  ])('%s', (command, runs) => {
    expect(runsOf(command).slice(command.includes('<') ? 1 : 0)).toEqual(runs)
  })

  it('known words up to fifty', () => {
    const given = (words: number) => runsOf(`xargs x <<< "${'a '.repeat(words)}"`).at(-1)
    expect(given(50)).toBe(`x${' a'.repeat(50)}`)
    expect(given(51)).toBe('x …')
  })
})

describe('find runs', () => {
  it.each([
    ['find a -exec x -y {} \\;', ['x -y …']],
    ['find a -exec x {} + -exec z \\;', ['x …', 'z']],
    ['find a -execdir x \\;', ['x']],
    ['find a -ok x \\;', ['x']],
    ['find a -okdir x y', ['x y']],
    ['find a -executable', []],
    ['find a -delete', ['unlink …']],
    ['find a -print', []],
  ])('%s', (command, runs) => {
    expect(runsOf(command).filter((run) => !run.startsWith('find'))).toEqual(runs)
  })
})
