import { count } from '../../engine/report/numbers.ts'
import { previewLines } from '../../engine/report/outcome.ts'
import { line, type UndoPreview } from '../port/port.ts'
import { type Command, type CommandContext, sayChange } from './command.ts'

export const slashCompact: Command = {
  name: 'compact',
  takes: '[focus]',
  about: 'Compact conversation context (optional: /compact <focus hint>)',
  run: async ({ port, compacting }, rest) => {
    compacting()
    await port.compact(rest === '' ? undefined : rest)
  },
}

export const slashUndo: Command = {
  name: 'undo',
  about: 'Take back the last compaction or change of the context',
  run: async (context) => {
    const after = await context.port.undoPreview()
    if (after === undefined || (await isWanted(context, after))) await sayChange(context, () => context.port.undo())
  },
}

/** Asks first when the context after the undo would not fit into the window. */
async function isWanted({ state, pick }: CommandContext, { status }: UndoPreview): Promise<boolean> {
  const { window, tokens } = status
  if (window === undefined || tokens <= window || (state().status?.tokens ?? 0) > window) return true
  const title = `The context would have ${count(tokens)} tokens, more than the window of ${count(window)}`
  const rows = [
    { value: 'no', cells: [['no, leave it compacted'] as const] },
    { value: 'yes', cells: [['yes, undo: it has to be compacted again before the next message'] as const] },
  ]
  return (await pick({ title, rows })) === 'yes'
}

export const slashRedo: Command = {
  name: 'redo',
  about: 'Take back the last /undo',
  run: (context) => sayChange(context, () => context.port.redo()),
}

export const slashPreview: Command = {
  name: 'preview',
  about: 'Show what /compact would do, and its price',
  anytime: true,
  run: async ({ port, show }) => show(previewLines(await port.preview()).map((text) => line(text))),
}
