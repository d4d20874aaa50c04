import type { Command } from 'commander'
import { tokensOption } from '../../options/options.ts'

/** `pith inspect`: shows what fills the window of a session, now and over time. */
export function inspectCommand(pith: Command): void {
  pith
    .command('inspect')
    .description('show what fills a session’s window, over time too, and what it has cost')
    .argument('<session>', 'a session file of any agent, an id from pith sessions, - for standard input, or example')
    .option('--model <PROVIDER/MODEL>', 'measure with the window and the prices of this model')
    .option('--window <TOKENS>', 'the context window, if it is not known from the model', tokensOption)
    .option('--json', 'print JSON')
    .addHelpText('after', EXAMPLES)
    .action(async (what: string, options: InspectFlags) => {
      const { inspect } = await import('./inspect-session.ts')
      await inspect(what, options)
    })
}

export type InspectFlags = { readonly model?: string; readonly window?: number; readonly json?: true }

const EXAMPLES = `
Examples:
  $ pith inspect example
  $ pith inspect example --window 32k
  $ pith inspect example --json`
