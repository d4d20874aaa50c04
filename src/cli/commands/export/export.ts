import type { Command } from 'commander'
import { formatOption } from '../../options/options.ts'

/** `pith export`: a session in the form of another agent, as Markdown, or as a list of messages. */
export function exportCommand(pith: Command): void {
  const command = pith.command('export')
  command
    .description('write a session in another form: for an agent to resume, for people, or as messages')
    .argument('<session>', 'an id from pith sessions, a session file of any agent, - for standard input, or example')
    .addOption(
      formatOption(command, 'the format; pith is the whole log, all others what the model would see now').default(
        'pith',
      ),
    )
    .option('--out <FILE>', 'write into this new file, not to standard output')
    .option('--with-secrets', 'leave keys, tokens and passwords in it')
    .addHelpText('after', EXAMPLES)
    .action(async (what: string, options: ExportFlags) => {
      const { exportAny } = await import('./export-any.ts')
      await exportAny(what, options)
    })
}

export type ExportFlags = { readonly to: string; readonly out?: string; readonly withSecrets?: true }

const EXAMPLES = `
Examples:
  $ pith export example --to markdown
  $ pith export example --to claude-code --out session.jsonl
  $ pith export example --to openai-chat | head -n 5`
