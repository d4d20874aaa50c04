import { stripVTControlCharacters } from 'node:util'
import { expect, it } from 'vitest'
import { NO_LIMIT } from '../../../src/tui/parts/frame-budget.ts'
import { themeOf } from '../../../src/tui/parts/theme.ts'
import { toolLines } from '../../../src/tui/parts/tool-lines.ts'
import type { ToolBlock } from '../../../src/tui/state/blocks.ts'

const look = { width: 80, theme: themeOf('none'), unfolded: false, budget: NO_LIMIT }
const block: ToolBlock = {
  kind: 'tool',
  toolCallId: 'a',
  seq: 7,
  name: 'edit',
  target: 'a.ts',
  state: 'done',
  output: 'Changed a.ts:\n@@ -1,2 +1,3 @@\n one\n-two\n+three\n+four\n',
}

const head = (shown: ToolBlock) => stripVTControlCharacters(toolLines(shown, look)[0] ?? '')

it('a change of a file tells the lines that it adds and removes, not the size of the tool’s answer', () => {
  const diff = '@@ -1,2 +1,3 @@\n one\n-two\n+three\n+four\n'
  expect(head({ ...block, diff })).toBe('● edit a.ts · #7 · +2 −1')
  expect(head({ ...block, diff, state: 'failed', output: 'It is gone.' })).toBe('✗ edit a.ts · #7 · 1 line, 11 bytes')
})
