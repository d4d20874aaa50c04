import { stripVTControlCharacters } from 'node:util'
import { expect, it } from 'vitest'
import { fileDiff, shortDiff } from '../../../src/agent/tools/files/file-diff.ts'
import { appended } from '../../../src/engine/context/view/log.ts'
import { toolLines } from '../../../src/tui/parts/block-lines.ts'
import { NO_LIMIT } from '../../../src/tui/parts/markdown.ts'
import { themeOf } from '../../../src/tui/parts/theme.ts'
import { blocksOf } from '../../../src/tui/state/apply-entry.ts'
import type { ToolBlock } from '../../../src/tui/state/state.ts'
import { call, result } from '../../support/messages.ts'

const look = { width: 80, theme: themeOf('none'), unfolded: false, budget: NO_LIMIT, chunks: new Map() }
const block: ToolBlock = {
  kind: 'tool',
  callSeq: 1,
  toolCallId: 'a',
  seq: 7,
  name: 'edit',
  target: 'a.ts',
  state: 'done',
  output: 'Changed a.ts:\n@@ -1,2 +1,3 @@\n one\n-two\n+three\n+four\n',
}

const head = (shown: ToolBlock) => stripVTControlCharacters(toolLines(shown, look)[0] ?? '')

it('a change of a file shows the lines that it adds and removes, not the size of the tool’s answer', () => {
  const diff = '@@ -1,2 +1,3 @@\n one\n-two\n+three\n+four\n'
  expect(head({ ...block, diff })).toBe('● edit a.ts · #7 · +2 −1')
  expect(head({ ...block, diff, state: 'failed', output: 'It is gone.' })).toBe('✗ edit a.ts · #7 · 1 line, 11 bytes')
})

it('the name of a running sub-agent stays on a narrow screen', () => {
  const output = 'task-1 · step 1 · 3.6k tokens · bash for i in 1 2 3\n'
  const running: ToolBlock = { ...block, name: 'task', target: 'Run a command', state: 'running', output }
  const [line = ''] = toolLines(running, { ...look, width: 40 })
  expect(stripVTControlCharacters(line)).toMatch(/^◌ task Run a.*… · task-1 · step 1 · /)
})

it('a change whose diff was cut shows all of its lines', () => {
  const lines = (word: string) => Array.from({ length: 300 }, (_, i) => `${word} ${i}\n`).join('')
  const diff = shortDiff('a.ts', `kept\n${lines('old')}`, `kept\n${lines('new')}more\n`, 80)
  expect(diff.split('\n')).toHaveLength(81)
  expect(head({ ...block, diff })).toBe('● edit a.ts · #7 · +301 −300')
})

it('a change that its diff does not show has the size of the tool’s answer', () => {
  const size = '· #7 · 6 lines, 53 bytes'
  const cut = '@@ -1,90 +1,90 @@\n-two\n(179 more lines of diff)'
  expect(head({ ...block, diff: cut })).toBe(`● edit a.ts ${size}`)
  const huge = fileDiff('big', undefined, 'x'.repeat(5_000_000))
  expect(huge).toBe('(big: 0 lines become 1; too much for a diff)')
  const same = fileDiff('a.ts', 'same\n', 'same\n')
  for (const diff of [huge, same]) expect(head({ ...block, name: 'write', diff })).toBe('● write a.ts · #7')
})

it('the size of an output is in bytes, whatever its characters take', () => {
  expect(head({ ...block, name: 'grep', diff: undefined, output: 'größer → 3' })).toBe(
    `● grep a.ts · #7 · 1 line, ${Buffer.byteLength('größer → 3')} bytes`,
  )
})

it('a written file of a session that was opened again shows its own size, unless the call failed', () => {
  const opened = (text: string, isError = false) => {
    const input = { path: 'a.ts', content: 'one\ntwo\nthree\n' }
    const drafts = [call('a', 'write', input), result('a', text)].map((message) => ({
      type: 'message' as const,
      message,
    }))
    const [shown] = blocksOf([...appended([], drafts)])
    if (shown?.kind !== 'tool') throw new Error('no call')
    return head(isError ? { ...shown, state: 'failed' } : shown)
  }
  expect(opened('Created a.ts (3 lines).')).toBe('● write a.ts · #2')
  expect(opened('It is gone.', true)).toBe('✗ write a.ts · #2 · 1 line, 11 bytes')
})

/** The block of a command that ran, as the transcript has it. */
function ran(command: string): ToolBlock {
  const drafts = [call('a', 'bash', { command }), result('a', 'done\n[exit code: 0]')]
  const [shown] = blocksOf([
    ...appended(
      [],
      drafts.map((message) => ({ type: 'message' as const, message })),
    ),
  ])
  if (shown?.kind !== 'tool') throw new Error('no call')
  return shown
}

const plainLines = (shown: ToolBlock, unfolded: boolean) =>
  toolLines(shown, { ...look, unfolded }).map(stripVTControlCharacters)

it('a command of several lines says how many more it has, and shows them all when it is unfolded', () => {
  const lines = Array.from({ length: 19 }, (_, i) => `step ${i + 1}`)
  const shown = ran(lines.join('\n'))
  expect(plainLines(shown, false)).toEqual([
    '● bash step 1 · #2 · 1 line, 4 bytes',
    '  … 18 more lines of the command, Ctrl+O shows them',
    '  done',
  ])
  expect(plainLines(shown, true).slice(1)).toEqual([...lines.map((line) => `  │ ${line}`), '  done'])
})

it('a command of one line that is wider than the screen is shown whole when it is unfolded', () => {
  const words = Array.from({ length: 60 }, (_, i) => `word${i + 1}`).join(' ')
  const unfolded = plainLines(ran(words), true).filter((line) => line.startsWith('  │ '))
  expect(unfolded.map((line) => line.slice(4).trim()).join(' ')).toBe(words)
  expect(plainLines(ran('ls'), true)).toEqual(['● bash ls · #2 · 1 line, 4 bytes', '  done'])
})
