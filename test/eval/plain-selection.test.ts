import { expect, it } from 'vitest'
import type { CompactRequest } from '../../src/eval/compactor.ts'
import { madeSession } from '../../src/eval/made/made-session.ts'
import compact, { PLAIN_SELECTION } from '../../src/eval/plain-selection.ts'
import { cutsIn, play, type Round } from '../../src/eval/play.ts'
import { wholeText } from '../../src/eval/probes/invented.ts'
import { allNamesIn } from '../../src/eval/truth/needed.ts'
import { type Message, partsOf } from '../../src/model/types.ts'

const SETTINGS = { windowTokens: 64_000, targetTokens: 16_000, rounds: 3 }
const made = madeSession(2, 900_000)

async function roundsOf(messages: readonly Message[]): Promise<readonly Round[]> {
  const session = { name: 'session', messages, events: [] }
  const limits = { signal: AbortSignal.timeout(60_000), timeoutMs: 60_000 }
  return (await play(session, cutsIn(session, SETTINGS), PLAIN_SELECTION, SETTINGS, limits)).rounds
}

const request: Omit<CompactRequest, 'messages'> = {
  windowTokens: 64_000,
  targetTokens: 3_000,
  unreadTokens: 0,
  session: 'one',
  round: 1,
}

let calls = 0
function ran(toolName: string, input: object, value: string, type: 'text' | 'error-text' = 'text'): Message[] {
  const toolCallId = `call-${++calls}`
  return [
    { role: 'assistant', content: [{ type: 'tool-call', toolCallId, toolName, input }] },
    { role: 'tool', content: [{ type: 'tool-result', toolCallId, toolName, output: { type, value } }] },
  ]
}
/** Much work that is of no use later, so that what came before it is no longer among the newest messages. */
const long = () => ran('bash', { command: 'cat notes' }, 'a few words of no use\n'.repeat(8_000))

it('shows after three rounds what the user said in the first, within the target', async () => {
  const rounds = await roundsOf(made.messages)
  expect(rounds.map(({ round }) => round)).toEqual([1, 2, 3])
  for (const { tokens, targetTokens, context, failure } of rounds) {
    expect(failure).toBeUndefined()
    expect(tokens).toBeLessThanOrEqual(targetTokens)
    expect(wholeText(context)).toContain(
      partsOf(made.messages[0] as Message).map((part) => 'text' in part && part.text)[0],
    )
  }
})

it('keeps each call with its result', async () => {
  for (const { context } of await roundsOf(made.messages)) {
    const ids = (type: string) =>
      context.flatMap((message) =>
        partsOf(message).flatMap((part) => ('toolCallId' in part && part.type === type ? [part.toolCallId] : [])),
      )
    expect(ids('tool-call').length).toBeGreaterThan(0)
    expect(ids('tool-result')).toEqual(ids('tool-call'))
  }
})

it('shows the last state of each file, and how each command last ended', () => {
  const edit = (path: string) => ran('edit', { path, oldText: 'a', newText: 'b' }, 'done')
  const text = wholeText(
    compact(
      [
        { role: 'user', content: 'Begin.' },
        ...['src/a.ts', 'src/b.ts', 'src/c.ts', 'src/d.ts'].flatMap(edit),
        ...ran('bash', { command: 'npm test' }, '1 passed'),
        ...ran(
          'bash',
          { command: 'git -C app add src/a.ts && git commit -m "Change a; keep src/b.ts"' },
          '[main 12ab34c] Change a',
        ),
        ...ran('bash', { command: 'git checkout -- src/c.ts' }, ''),
        ...ran('bash', { command: 'git mv src/d.ts src/e.ts' }, ''),
        ...ran('bash', { command: 'npm test' }, 'Error: 1 test failed', 'error-text'),
        ...long(),
        ...long(),
        { role: 'assistant', content: 'Done.' },
      ],
      request,
    ),
  )
  expect(text).toContain('File src/a.ts: committed 12ab34c\n')
  expect(text).toContain('File src/b.ts: uncommitted\n')
  expect(text).toContain('File src/c.ts: reverted\n')
  expect(text).toContain('File src/e.ts: uncommitted')
  expect(text).not.toContain('File src/d.ts')
  expect(text.match(/`npm test`: \w+/g)).toEqual(['`npm test`: failed'])
})

it('cuts no name in two', () => {
  const names = Array.from({ length: 900 }, (_, i) => `src/some/folder/module${i}.ts`)
  const messages: Message[] = [
    { role: 'user', content: `Look at ${names.join(' ')}` },
    { role: 'assistant', content: names.toReversed().join(' ') },
    ...ran('bash', { command: `cat ${names.join(' ')}` }, `Error: not found ${names.join(' ')}`, 'error-text'),
    { role: 'assistant', content: 'Done.' },
  ]
  const shown = wholeText(compact(messages, request))
  expect(shown).toContain('[…]')
  const known = new Set(allNamesIn(wholeText(messages)))
  expect(allNamesIn(shown).filter((name) => !known.has(name))).toEqual([])
})
