import { describe, expect, it } from 'vitest'
import { readScript } from '../../../../src/agent/permissions/shell/read-script.ts'

function reading(command: string) {
  const { runs, doubts } = readScript(command, { workspace: '/shop', home: '/home/me' })
  return { runs: runs.map(({ words }) => words.map(({ text }) => text).join(' ')), doubts }
}

it('a command that runs another is read six deep, and what is deeper is in doubt', () => {
  expect(reading(`${'eval '.repeat(5)}git push`)).toMatchObject({
    runs: expect.arrayContaining(['git push']),
    doubts: [],
  })
  expect(reading(`${'eval '.repeat(6)}git push`)).toMatchObject({
    runs: expect.not.arrayContaining(['git push']),
    doubts: ['git push'],
  })
})

it('a command line of more than 130,000 characters is not read, and is in doubt', () => {
  expect(reading('git push'.padEnd(130_000))).toEqual({ runs: ['git push'], doubts: [] })
  const long = 'git push'.padEnd(130_001)
  expect(reading(long)).toEqual({ runs: [], doubts: [long] })
})

describe('the folder of a command', () => {
  /** The folders in which `x` may run, the likeliest first. */
  const foldersOf = (command: string) => {
    const { runs } = readScript(command, { workspace: '/shop', home: '/home/me' })
    const run = runs.find(({ words }) => words[0]?.text === 'x')
    return run?.folders.map((shape) => shape.map((part) => ('text' in part ? part.text : `<${part.hole}>`)).join(''))
  }

  it.each([
    ['x', ['/shop']],
    ['cd a && x', ['/shop/a']],
    ['cd a; x', ['/shop/a', '/shop']],
    ['cd a || x', ['/shop/a', '/shop']],
    ['cd a && cd b && x', ['/shop/a/b']],
    ['cd -P a && x', ['/shop/a']],
    ['cd -- a && x', ['/shop/a']],
    ['cd && x', ['/home/me']],
    ['cd - && x', ['<any>']],
    ['cd "$A" && x', ['<any>']],
    ['cd "a$A" && x', ['/shop/a<segment>']],
    ['pushd a && x', ['/shop/a']],
    ['popd; x', ['<any>', '/shop']],
    ['(cd a; true); x', ['/shop']],
    ['y=$(cd a); x', ['/shop']],
    ['cd a | true; x', ['/shop']],
    ['{ cd a; }; x', ['/shop/a', '/shop']],
    ['cd a && sh -c x', ['/shop/a']],
    ['sh -c "cd a"; x', ['/shop']],
  ])('%s', (command, folders) => {
    expect(foldersOf(command)).toEqual(folders)
  })

  it('may be anywhere after many changes', () => {
    expect(foldersOf(`${'cd a; '.repeat(4)}x`)).toHaveLength(16)
    expect(foldersOf(`${'cd a; '.repeat(5)}x`)?.[0]).toBe('<any>')
  })
})

describe('what a command writes and reads', () => {
  const redirectsOf = (command: string) =>
    readScript(command, { workspace: '/shop', home: '/home/me' }).runs.flatMap(({ redirects }) =>
      redirects.map(({ word, writes }) => `${writes ? '>' : '<'} ${word.source}`),
    )

  it.each([
    ['x > a', ['> a']],
    ['x >> a 2> b', ['> a', '> b']],
    ['x < a', ['< a']],
    ['x <> a', ['> a']],
    ['x &> a', ['> a']],
    ['x 2>&1 >&- <&3', []],
    ['x > "$A"', ['> "$A"']],
    ['x <<< a', []],
    ['{ x; } > a', ['> a']],
    ['while x; do y; done < a', ['< a']],
  ])('%s', (command, redirects) => {
    expect(redirectsOf(command)).toEqual(redirects)
  })
})

it('a command line with a mistake in it is in doubt, and what can be read is read', () => {
  const { runs, doubts } = reading('git push "unclosed')
  expect(runs[0]).toContain('git push')
  expect(doubts).toHaveLength(1)
})

it('more than 2,000 commands are in doubt, and what was read before is kept', () => {
  expect(reading('x;'.repeat(2_000)).doubts).toEqual([])
  const { runs, doubts } = reading('x;'.repeat(2_001))
  expect(runs).toHaveLength(2_000)
  expect(doubts).toEqual(['too many commands or words in one line'])
})

it('variables that each contain another one twice, 40 deep, are in doubt', () => {
  const doubled = Array.from({ length: 40 }, (_, i) => `a${i + 1}="$a${i}$a${i}"`).join(';')
  expect(reading(`a0=x;${doubled};echo "$a40"`).doubts).toEqual(['too many commands or words in one line'])
})

it('a word of more than 6,000 braces is not read, and is in doubt', () => {
  expect(reading(`x ${'{'.repeat(6_000)}`).doubts).toEqual([])
  expect(reading(`x ${'{'.repeat(6_001)}`)).toEqual({ runs: [], doubts: ['too many commands or words in one line'] })
})

it('commands that have to be judged from many folders are in doubt sooner', () => {
  const commands = `echo ${'a'.repeat(55)}; `.repeat(1_800)
  expect(reading(`cd a; ${commands}`).doubts).toEqual([])
  expect(reading(`cd a; cd b; cd c; cd d; ${commands}`).doubts).toEqual(['too many commands or words in one line'])
})

it('substitutions are read sixteen deep, and a line with deeper ones is in doubt', () => {
  const nested = (depth: number) => `${'echo $('.repeat(depth)}git push${')'.repeat(depth)}`
  expect(reading(nested(16))).toMatchObject({ runs: expect.arrayContaining(['git push']), doubts: [] })
  expect(reading(nested(17)).doubts).toEqual(['too many commands or words in one line'])
})
