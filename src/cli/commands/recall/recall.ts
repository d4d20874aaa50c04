import type { Command } from 'commander'
import { countOption } from '../../options/options.ts'

/** `pith recall`: finds entries of the whole log, masked and compacted ones included. */
export function recallCommand(pith: Command): void {
  pith
    .command('recall')
    .description('find what was said in our sessions, compacted or not; #12 gives that entry back, word for word')
    .argument('<query...>', 'a text, or handles such as #12 or #12-#20 (with --session)')
    .option('-s, --session <ID>', 'look only in this session')
    .option('--limit <COUNT>', 'how many places are shown', countOption, 20)
    .option('--json', 'print JSON')
    .addHelpText('after', EXAMPLES)
    .action(async (words: string[], options: RecallFlags) => {
      const { recallAny } = await import('./recall-entries.ts')
      await recallAny(words.join(' '), options)
    })
}

export type RecallFlags = { readonly session?: string; readonly limit: number; readonly json?: true }

const EXAMPLES = `
Examples:
  $ pith import example && pith recall socket hang up
  $ pith recall "never change" --json`
