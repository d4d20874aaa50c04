import type { Block } from './blocks.ts'
import { type Line, line } from './line.ts'

/** What stands above the conversation: where we are, what is missing, and what to do first. */
export function headerBlock(workspace: string, noModel: string | undefined, firstRun: boolean): Block {
  const lines: Line[] = [
    [
      ['Pith', 'bold'],
      [` · ${workspace}`, 'muted'],
    ],
    line('/help lists the commands · @ completes files · Ctrl+C clears, then quits', 'muted'),
  ]
  if (noModel !== undefined) lines.push(line(noModel, 'warning'))
  if (firstRun) {
    lines.push(
      line(''),
      [
        ['Press Tab', 'accent'],
        [' to open an example session: a long one, nearly full, to try', 'plain'],
      ],
      line('/compact, /context and /undo on. It needs no model and no network.'),
    )
  }
  return { kind: 'panel', lines }
}
