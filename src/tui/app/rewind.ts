import { pickMessage } from '../commands/record.ts'
import type { App } from './app.ts'
import { contextOf } from './command-context.ts'

/** Goes back to an earlier message: a fork from before it, with its text in the input. The session itself stays. */
export async function rewind(app: App): Promise<void> {
  const { port, screen } = app
  if (port === undefined) return
  const context = contextOf(app, port, [])
  const seq = await pickMessage(context, 'Go back to which message?')
  const said = app.state.blocks.find((block) => block.kind === 'user' && block.seq === seq)
  if (seq === undefined || said?.kind !== 'user') return
  const { ok, text } = await port.fork(seq)
  if (!ok) return context.note(text, 'error')
  screen.editor.setText(said.text)
  context.note('This is a fork from before that message: the other session stays as it is.')
}
