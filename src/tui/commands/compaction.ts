import { line } from '../line.ts'
import { previewLines } from '../parts/questions.ts'
import { type Command, say } from './command.ts'

export const compact: Command = {
  name: 'compact',
  takes: '[focus]',
  about: 'Compact conversation context (optional: /compact <focus hint>)',
  run: async ({ port, compacting }, rest) => {
    compacting()
    await port.compact(rest === '' ? undefined : rest)
  },
}

export const undo: Command = {
  name: 'undo',
  about: 'Take back the last compaction or change of the context',
  run: async (context) => say(context, await context.port.undo()),
}

export const redo: Command = {
  name: 'redo',
  about: 'Take back the last /undo',
  run: async (context) => say(context, await context.port.redo()),
}

export const preview: Command = {
  name: 'preview',
  about: 'Show what /compact would do, and its price',
  anytime: true,
  run: async ({ port, show }) => show(previewLines(await port.preview()).map((text) => line(text))),
}
