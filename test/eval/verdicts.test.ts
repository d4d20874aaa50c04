import { describe, expect, it } from 'vitest'
import { inventedIn } from '../../src/eval/probes/invented.ts'
import { knownCalls, shownLedger } from '../../src/eval/probes/ledger.ts'
import { listRemover, wholeTexts, withoutLists } from '../../src/eval/probes/name-lists.ts'
import { type TruthEvent, workAt } from '../../src/eval/truth/events.ts'
import { readEvents } from '../../src/eval/truth/read-events.ts'
import type { Message, ToolResultPart } from '../../src/model/types.ts'

let ids = 0
const call = (toolName: string, input: Record<string, unknown>, value = 'done', failed = false): Message[] => {
  const toolCallId = `call_${ids++}`
  const output = { type: failed ? ('error-text' as const) : ('text' as const), value }
  return [
    { role: 'assistant', content: [{ type: 'tool-call', toolCallId, toolName, input }] },
    { role: 'tool', content: [{ type: 'tool-result', toolCallId, toolName, output }] },
  ]
}
const run = (command: string, value: string, failed = false) => call('Bash', { command }, value, failed)

const EDIT_A = call('Edit', { file_path: '/app/src/a.ts', old_string: 'x'.repeat(400), new_string: 'y' })
const EDIT_B = call('Edit', { file_path: '/app/src/b.ts', old_string: 'x', new_string: 'y' })
const FAILED = run('npm test', 'Exit code 1', true)
const PASSED = run('npm test', '3 passed')
const COMMIT = run('git add src/a.ts && git commit -m "Change a"', '[main 1a2b3c4] Change a')
const BUILD = run('npm run build', 'Exit code 1', true)
const LATER = call('Edit', { file_path: '/app/src/c.ts', old_string: 'x', new_string: 'y' })
const REVERT = run('git checkout -- src/c.ts', 'Updated 1 path from the index')
const SESSION: Message[] = [
  { role: 'user', content: 'Please change a, b and c, and say when b.ts is committed to the main branch.' },
  ...[EDIT_A, EDIT_B, FAILED, PASSED, COMMIT, BUILD, LATER, REVERT].flat(),
]
const text = (content: string): Message[] => [{ role: 'user', content }]

/** True are: a.ts committed, b.ts uncommitted, c.ts reverted, `npm test` passed, `npm run build` failed. */
function judged(context: readonly Message[], events: readonly TruthEvent[] = readEvents(SESSION)) {
  const flat = SESSION.map((message) => JSON.stringify(message.content)).join(' ')
  const truth = { work: workAt(events), events, calls: knownCalls(SESSION), flat }
  const { shown, wrong, falseClaims, outdated } = shownLedger(context, truth)
  return {
    right: shown.part,
    wrong: wrong.part,
    false: falseClaims.part,
    outdated: outdated.part,
    of: shown.whole,
    claims: falseClaims.whole,
  }
}
const NOTHING = { right: 0, wrong: 0, false: 0, outdated: 0, of: 5 }

describe('the verdict on a file or a check', () => {
  it.each([
    ['- src/a.ts: committed 1a2b3c4', { right: 1, claims: 2 }],
    ['- src/b.ts: committed', { wrong: 1, false: 1, claims: 1 }],
    ['- src/a.ts: uncommitted', { wrong: 1, outdated: 1, claims: 1 }],
    ['## Uncommitted\n- b.ts', { right: 1, claims: 1 }],
    ['`npm test` passed', { right: 1, claims: 1 }],
    ['`npm test` failed: 1 failed, 3 passed', { wrong: 1, outdated: 1, claims: 1 }],
    ['`npm run build`: 3 passed, 1 failed', { right: 1, claims: 1 }],
    ['`npm run build` passed', { wrong: 1, false: 1, claims: 1 }],
    ['It is in commit 9999999.', { false: 1, claims: 1 }],
    ['Never leave b.ts committed without a test', { claims: 0 }],
    ['active_committed.go, a.ts, committed.go', { claims: 0 }],
    // A denial is no statement, unless it is the usual word for a state.
    ["b.ts isn't committed", { claims: 0 }],
    ['Nothing of b.ts is committed', { claims: 0 }],
    ['b.ts was not reverted', { claims: 0 }],
    ['b.ts is not yet committed', { right: 1, claims: 1 }],
    ['`npm test` no longer fails', { claims: 0 }],
    // Compactors say it in many ways.
    ['`npm test`: no errors', { right: 1, claims: 1 }],
    ['npm test: failed', { wrong: 1, outdated: 1, claims: 1 }],
    ['npm run build - failed', { right: 1, claims: 1 }],
    ['`npm run build` does not pass yet', { right: 1, claims: 1 }],
    ['`npm run build`: exited with code 2', { right: 1, claims: 1 }],
    ['`npm run build`: 40/42 passed', { right: 1, claims: 1 }],
    ['`npm run build`: Failed: 2, Passed: 40', { right: 1, claims: 1 }],
    ['`npm test`: errors: 0', { right: 1, claims: 1 }],
    ['`npm test`: ok (it failed before)', { right: 1, claims: 1 }],
    ['`npm test`\n→ 3 passed', { right: 1, claims: 1 }],
    ['Failing: `npm run build`. Passing: `npm test`.', { right: 2, claims: 2 }],
    ['## Failing\n- `npm run build`\n\n## Passing\n- `npm test`', { right: 2, claims: 2 }],
    ['src/a.ts and b.ts are committed', { right: 1, wrong: 1, false: 1, claims: 2 }],
    ['src/a.ts is committed, b.ts is uncommitted', { right: 2, claims: 2 }],
    ['Committed: src/a.ts. Uncommitted: src/b.ts; reverted: src/c.ts', { right: 3, claims: 3 }],
    ['{"src/a.ts": "committed", "src/b.ts": "uncommitted"}', { right: 2, claims: 2 }],
    ['| file | state |\n| --- | --- |\n| src/b.ts | uncommitted |', { right: 1, claims: 1 }],
    ['- src/b.ts\n  - state: uncommitted', { right: 1, claims: 1 }],
    ['### src/b.ts\n\nUncommitted.', { right: 1, claims: 1 }],
    ['src/c.ts: reverted to the committed version', { right: 1, claims: 1 }],
    ['src/a.ts: committed, nothing uncommitted', { right: 1, claims: 1 }],
    ["src/b.ts (uncommitted). Don't forget the changelog.", { right: 1, claims: 1 }],
    ['other/b.ts: committed', { claims: 0 }],
    ['`npm run build` in src/b.ts failed', { right: 1, claims: 1 }],
    ['- src/b.ts: after `npm test` it is uncommitted', { right: 1, claims: 1 }],
    ['## Committed\n- src/b.ts: edited', { wrong: 1, false: 1, claims: 1 }],
    ['- `npm run lint` failed, then `npm test`', { claims: 0 }],
    ['`npm test` ok, `npm run build` failed', { right: 2, claims: 2 }],
    // The newest statement counts, and a right one does not excuse one that never held.
    ['- a.ts: uncommitted\n\n- a.ts: committed', { right: 1, claims: 2 }],
    ['- a.ts: committed\n\n- a.ts: uncommitted', { wrong: 1, outdated: 1, claims: 2 }],
    ['- b.ts: reverted\n\n- b.ts: uncommitted', { right: 1, false: 1, claims: 2 }],
    // Two states of one thing on a line or in a paragraph are no verdict.
    ['- b.ts: committed, uncommitted, reverted', { claims: 0 }],
    ['- b.ts: committed\n- b.ts: uncommitted\n- b.ts: reverted', { claims: 0 }],
    ['- b.ts: uncommitted\n\n- b.ts: committed, reverted', { claims: 1 }],
    ['`npm test`: ok, failed', { claims: 0 }],
    // A change without a commit is not committed; a state beside it says more.
    ['- b.ts: edited 3×, not checked since', { right: 1, claims: 1 }],
    ['- src/b.ts: edited, no commit seen since', { right: 1, claims: 1 }],
    ['- a.ts: edited 2×, committed 1a2b3c4', { right: 1, claims: 2 }],
    ['- a.ts: committed\n\n- changed in a.ts: the name of a function', { right: 1, claims: 2 }],
  ])('in "%s"', (said, verdicts) => {
    const { claims: _, ...rest } = judged(text(said))
    expect({ ...rest, claims: judged(text(said)).claims }).toEqual({ ...NOTHING, ...verdicts })
  })

  it('is not what is quoted from the session', () => {
    const said = 'say when b.ts is committed to the main branch.'
    expect(judged(text(`- #12: ${said}`))).toMatchObject({ claims: 0, wrong: 0 })
  })

  it('comes from the calls that a context kept, with long arguments cut, and from nothing that is gone', () => {
    expect(judged(SESSION)).toMatchObject({ right: 5, wrong: 0 })
    const [made, result] = EDIT_A
    const part = typeof made?.content === 'string' ? undefined : made?.content[0]
    if (part?.type !== 'tool-call' || result === undefined) throw new Error()
    const cut = (input: object): Message[] => [{ role: 'assistant', content: [{ ...part, input }] }, result]
    const shortened = cut({ file_path: '/app/src/a.ts', old_string: `${'x'.repeat(100)} […]`, new_string: 'y' })
    expect(judged([...shortened, ...COMMIT])).toMatchObject({ right: 1 })
    expect(judged([...cut({}), ...COMMIT])).toMatchObject({ right: 0, wrong: 0 })
  })

  it('is not that of a call with a result that ended in another way, or of a file whose name was cut off', () => {
    const long = 'git add src/a.ts && git commit -m "Change a for everybody who reads it" && git checkout -- src/c.ts'
    const [made, result] = run(long, '[main 1a2b3c4] Change a')
    const session = [...EDIT_A, ...LATER, made as Message, result as Message]
    const part = typeof made?.content === 'string' ? undefined : made?.content[0]
    if (part?.type !== 'tool-call' || result?.role !== 'tool') throw new Error()
    const shown = (command: string, type: 'text' | 'error-text') => {
      const kept: Message[] = [
        ...EDIT_A,
        ...LATER,
        { role: 'assistant', content: [{ ...part, input: { command } }] },
        { role: 'tool', content: [{ ...result.content[0], output: { type, value: '…' } } as ToolResultPart] },
      ]
      const events = readEvents(session)
      return shownLedger(kept, { work: workAt(events), events, calls: knownCalls(session), flat: '' }).shown
    }
    expect(shown(long, 'text')).toEqual({ part: 2, whole: 2 })
    expect(shown(long.slice(0, 70), 'text')).toEqual({ part: 1, whole: 2 })
    expect(shown(long, 'error-text')).toEqual({ part: 0, whole: 2 })
  })

  it('is found in time that grows with the text, whatever is in it', () => {
    for (const sign of ['(', ' ', '"', '-', 'a', 'xa.ts ', 'aB3/+'])
      expect(judged(text(`${sign.repeat(60_000)} ${sign}\n\nsrc/a.ts: committed`))).toMatchObject({ right: 1 })
    for (const sign of ['(', ' ', '"', 'xa.ts ', 'aB3/+']) {
      const long = sign.repeat(60_000)
      expect(judged(text(`src/b.ts: uncommitted ${long} src/a.ts: committed`))).toMatchObject({ wrong: 0 })
      expect(inventedIn(text(`${long} src/none.ts`), '').invented).toContain('src/none.ts')
    }
  })

  it('is not the end of a check whose result is gone, also when a failure is shortened to a success', () => {
    const [made] = PASSED
    const masked = (value: string): Message[] => {
      const part = typeof made?.content === 'string' ? undefined : made?.content[0]
      if (part?.type !== 'tool-call' || made === undefined) throw new Error()
      const { toolCallId, toolName } = part
      return [
        made,
        { role: 'tool', content: [{ type: 'tool-result', toolCallId, toolName, output: { type: 'text', value } }] },
      ]
    }
    expect(judged(masked('[cleared]'))).toMatchObject({ right: 0, wrong: 0 })
    expect(judged(masked('3 passed'))).toMatchObject({ right: 1 })
    for (const made of ['.', 'exit code 0', 'done']) expect(judged(masked(made))).toMatchObject({ right: 0, wrong: 0 })
  })

  it('is that of the newest call or statement, whichever comes later', () => {
    expect(judged([...text('- a.ts: uncommitted'), ...COMMIT])).toMatchObject({ right: 1, wrong: 0 })
    expect(judged([...EDIT_A, ...COMMIT, ...text('- a.ts: reverted')])).toMatchObject({ right: 0, wrong: 1, false: 1 })
    expect(judged([...FAILED, ...text('`npm test` passed')])).toMatchObject({ right: 1, wrong: 0 })
    expect(judged([...EDIT_A, ...text('- a.ts: uncommitted'), ...COMMIT])).toMatchObject({ right: 1, wrong: 0 })
  })
})

describe('a list of names', () => {
  const said = {
    loadAll: 'reads every row',
    'src/parse.ts': 'splits a header',
    save_all: 'waits for the disk',
    'https://example.org/a': 'describes the protocol',
    'lib/print.ts': 'has wrong margins',
    dropAll: 'empties both queues',
    keepAll: 'ignores duplicates',
    '1a2b3c4d': 'renamed two columns',
    z_index: 'covers the menu',
  }
  const names = Object.keys(said)
  const remove = listRemover(Object.entries(said).flatMap(([name, words]) => text(`${name} ${words}`)))
  const other = ['moon', 'garden', 'seven', 'window', 'paper', 'north', 'silver', 'bridge', 'lemon']
  it.each([
    ['a comma', names.join(', ')],
    ['spaces', names.join(' ')],
    ['lines', names.join('\n')],
    ['empty lines', names.join('\n\n')],
    ['bullets', names.map((name) => `- \`${name}\``).join('\n')],
    ['numbers', names.map((name, at) => `${at + 1}. ${name}`).join('\n')],
    ['a table', `| ${names.join(' | ')} |`],
    ['JSON', JSON.stringify(names)],
    ['JSON in lines', JSON.stringify(names, null, 2)],
    ['a label', `Names: ${names.join('; ')}`],
    ['and', names.join(' and ')],
    ['the same words', names.map((name) => `There is ${name} here`).join('\n')],
    ['signs', names.map((name) => `${name}=1&`).join('→')],
    ['an end', names.map((name) => `${name} ok`).join('\n')],
    ['a name for each', JSON.stringify(Object.fromEntries(names.map((name) => [name, 1])))],
    ['any words', names.map((name, at) => `${other[at]} ${name} ${other[8 - at]}.`).join('\n')],
  ])('is one with %s between them', (_, list) => {
    const [left = ''] = remove([`Kept words.\n${list}\nMore words.`])
    expect(left).not.toMatch(/loadAll|parse\.ts|keepAll/)
    expect(left).toMatch(/^Kept words\.[\s\S]*More words\.$/)
  })

  it('is one with a message for each name', () => {
    expect(JSON.stringify(withoutLists(names.flatMap(text), new Set(), remove))).not.toMatch(/loadAll|keepAll/)
  })

  it('is not one if it says of the names what the session says of them, or is short', () => {
    for (const stated of [
      Object.entries(said)
        .map(([name, words]) => `- ${name}: ${words}`)
        .join('\n'),
      `| ${Object.entries(said)
        .map(([name, words]) => `${name} | ${words.split(' ').at(-1)}`)
        .join(' |\n| ')} |`,
      `Rows come from loadAll, and save_all is slow: it waits for the disk.`,
      'loadAll, save_all, dropAll',
    ])
      expect(remove([stated])).toEqual([stated])
  })

  it('is not one if it says the states of files', () => {
    const line = `Committed: ${names.join(', ')}`
    expect(remove([line], (of, name) => of === line && name !== '')).toEqual([line])
  })

  it('is taken out of results and arguments, too, unless the session has it word for word', () => {
    const listed = names.join('\n')
    const context = [...run('ls', listed), ...run(listed, 'x')]
    expect(JSON.stringify(withoutLists(context, new Set(), remove))).not.toContain('loadAll')
    expect(withoutLists(context, wholeTexts(context), remove)).toEqual(context)
  })
})

describe('git', () => {
  const committed = (...steps: readonly Message[][]) => {
    const { files } = workAt(readEvents([{ role: 'user', content: 'Go on.' }, ...steps.flat()]))
    return Object.fromEntries([...files].map(([path, { state }]) => [path.split('/').at(-1), state]))
  }
  const done = (command: string) => run(command, '[main 1a2b3c4] Change')

  it('commits what was staged by earlier calls, too', () => {
    const [add, commit] = [run('git add src/a.ts', ''), done('git add src/b.ts && git commit -m "Change"')]
    expect(committed(EDIT_A, EDIT_B, LATER, add, commit)).toEqual({
      'a.ts': 'committed',
      'b.ts': 'committed',
      'c.ts': 'uncommitted',
    })
    const move = run('git mv src/a.ts src/d.ts', '')
    expect(committed(EDIT_A, EDIT_B, move, commit)).toEqual({ 'd.ts': 'committed', 'b.ts': 'committed' })
  })

  it('reverts a file, and not if only the index changes or the words are a text', () => {
    const state = (command: string) => committed(EDIT_A, run(command, ''))['a.ts']
    expect(state('git restore src/a.ts')).toBe('reverted')
    expect(state('git restore --staged --worktree src/a.ts')).toBe('reverted')
    expect(state('git restore --staged src/a.ts')).toBe('uncommitted')
    expect(state('echo "git restore src/a.ts"')).toBe('uncommitted')
    for (const unread of ['git restore .', 'true || git restore src/a.ts', 'git --no-pager stash', 'X=1 git stash'])
      expect(state(unread)).toBe('unknown')
  })

  it('commits what any line of a script staged, and nobody knows what a path beside it takes', () => {
    const state = (command: string) => committed(EDIT_A, EDIT_B, done(command))
    const [both, one] = [
      { 'a.ts': 'committed', 'b.ts': 'committed' },
      { 'a.ts': 'committed', 'b.ts': 'uncommitted' },
    ]
    expect(state('cd /app\ngit add -A 2>/dev/null\ngit commit -m "Change; all of it"')).toEqual(both)
    expect(state('git add -A . && git commit -m x')).toEqual(both)
    expect(state('git add "src/a.ts" && git commit -m x')).toEqual(one)
    expect(state('git add src/a.ts && git commit -m x -a')).toEqual(both)
    expect(state('git add src/a.ts; git commit -m x src/b.ts')).toEqual({ 'a.ts': 'unknown', 'b.ts': 'unknown' })
  })

  it('leaves nobody sure of a file that was changed after it was staged', () => {
    const all = committed(EDIT_A, run('git add -A', ''), EDIT_B, done('git commit -m "Change"'))
    expect(all).toEqual({ 'a.ts': 'unknown', 'b.ts': 'unknown' })
  })
})
