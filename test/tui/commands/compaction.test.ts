import { expect, it } from 'vitest'
import type { CommandContext } from '../../../src/tui/commands/command.ts'
import { slashRedo, slashUndo } from '../../../src/tui/commands/context.ts'

it('/undo and /redo show the sizes of the context that the status line has', async () => {
  const notes: string[] = []
  let tokens = 6_612
  const to = (next: number) => async () => {
    tokens = next
    return { ok: true, text: '' }
  }
  const context = {
    state: () => ({ status: { tokens } }),
    note: (text: string) => notes.push(text),
    port: { undoPreview: async () => undefined, undo: to(14_702), redo: to(6_612) },
  } as unknown as CommandContext
  await slashUndo.run(context, '')
  await slashRedo.run(context, '')
  expect(notes).toEqual(['The context: 6,612 → 14,702 tokens.', 'The context: 14,702 → 6,612 tokens.'])
})
