import { type Command, Option } from 'commander'

/** `pith hand-on`: a session of any agent, compacted and put where another agent resumes it. */
export function handOnCommand(pith: Command): void {
  const to = new Option('--to <AGENT>', 'the agent that goes on with it').makeOptionMandatory()
  const command = pith.command('hand-on')
  pith.hook('preSubcommand', async (_, called) => {
    if (called !== command) return
    const { RESUMABLE_FORMATS } = await import('../../../formats/formats.ts')
    to.choices(RESUMABLE_FORMATS)
  })
  command
    .description('compact a session and hand it on to another agent: prints the one command that resumes it there')
    .argument('<session>', 'a session file of any agent, an id from pith sessions, - for standard input, or example')
    .addOption(to)
    .option('--folder <DIR>', 'the project that the agent goes on in (this folder)')
    .option('--run', 'start the agent at once')
    .option('--focus <TEXT>', 'what a summary by a model should keep in any case')
    .option('--model <PROVIDER/MODEL>', 'the model that writes the summary')
    .option('--offline', 'ask no model: a digest, made from the log alone')
    .addHelpText('after', EXAMPLES)
    .action(async (what: string, options: HandOnFlags) => {
      const { handOn } = await import('./hand-on-session.ts')
      process.exitCode = await handOn(what, options)
    })
}

export type HandOnFlags = {
  readonly to: string
  readonly folder?: string
  readonly run?: true
  readonly focus?: string
  readonly model?: string
  readonly offline?: true
}

const EXAMPLES = `
Examples:
  $ pith hand-on example --to claude-code --offline
  $ pith hand-on session.jsonl --to codex --folder ~/project
  $ pith hand-on 4f0a --to pi --run`
