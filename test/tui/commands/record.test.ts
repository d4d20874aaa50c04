import { expect, it } from 'vitest'
import type { CommandContext } from '../../../src/tui/commands/command.ts'
import { slashPin } from '../../../src/tui/commands/rewind.ts'

it('/pin shows what the context has after a message came back, and nothing if it stayed as it was', async () => {
  const notes: string[] = []
  let tokens = 6_883
  const context = {
    state: () => ({ status: { tokens } }),
    note: (text: string) => notes.push(text),
    port: {
      pin: async (seq: number) => {
        if (seq === 4) tokens = 7_121
        return { ok: true, text: '' }
      },
    },
  } as unknown as CommandContext
  await slashPin.run(context, '#5')
  await slashPin.run(context, '#4')
  expect(notes).toEqual(['The context: 6,883 → 7,121 tokens.'])
})
