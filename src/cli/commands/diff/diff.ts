import type { Command } from 'commander'

/** `pith diff`: shows the view before and after a compaction. */
export function diffCommand(pith: Command): void {
  pith
    .command('diff')
    .description('show the view before and after the last compaction')
    .argument('<session>', 'an id from pith sessions, a session file of any agent, or - for standard input')
    .option('--json', 'print both views as JSON')
    .addHelpText('after', EXAMPLES)
    .action(async (what: string, { json }: { json?: true }) => {
      const { diffAny } = await import('./diff-session.ts')
      await diffAny(what, json === true ? 'json' : 'text')
    })
}

const EXAMPLES = `
Examples:
  $ pith compact example --offline --to pith --out upload.jsonl && pith diff upload.jsonl`
