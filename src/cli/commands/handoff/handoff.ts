import { type Command, Option } from 'commander'
import { examples, SESSION } from '../../options/options.ts'

/** `pith handoff`: compacts a session of any agent and puts it where another agent resumes it. */
export function handoffCommand(pith: Command): void {
  const to = new Option('--to <AGENT>', 'the agent that continues it').makeOptionMandatory()
  // The name until 0.2. It is not in the help.
  const command = pith.command('handoff').alias('hand-on')
  pith.hook('preSubcommand', async (_, called) => {
    if (called !== command) return
    const { RESUMABLE_FORMATS } = await import('../../../formats/formats.ts')
    to.choices(RESUMABLE_FORMATS)
  })
  command
    .description('compact a session for another agent, and print the one command that resumes it there')
    .argument('<session>', SESSION)
    .addOption(to)
    .option('--folder <DIR>', 'the project that the agent works in (this folder)')
    .option('--run', 'start the agent at once')
    .option('--focus <TEXT>', 'what a summary by a model should keep in any case')
    .option('--model <PROVIDER/MODEL>', 'the model that writes the summary')
    .option('--offline', 'ask no model: a digest, made from the log alone')
    .addHelpText(
      'after',
      examples(
        'pith handoff example --to claude-code --offline',
        'pith handoff session.jsonl --to codex --folder ~/project',
        'pith handoff 4f0a --to pi --run',
      ),
    )
    .action(async (what: string, options: HandoffFlags) => {
      process.exitCode = await (await import('./handoff-session.ts')).handoff(what, options)
    })
}

export type HandoffFlags = {
  readonly to: string
  readonly folder?: string
  readonly run?: true
  readonly focus?: string
  readonly model?: string
  readonly offline?: true
}
