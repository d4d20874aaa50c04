import type { Command } from 'commander'

/** `pith import`: copies a session of any agent into our store. */
export function importCommand(pith: Command): void {
  pith
    .command('import')
    .description('import a session of any agent into Pith, to continue it here')
    .argument('<session>', 'a session file of any agent, an id from pith sessions, - for standard input, or example')
    .option('--json', 'print JSON')
    .addHelpText('after', EXAMPLES)
    .action(async (what: string, { json }: { json?: true }) => {
      const { importAny } = await import('./import-any.ts')
      await importAny(what, json === true ? 'json' : 'text')
    })
}

const EXAMPLES = `
Examples:
  $ pith import example
  $ pith export example --to anthropic --out talk.json && pith import talk.json`
