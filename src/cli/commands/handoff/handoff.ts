import { type Command, Option } from 'commander'
import { durationOption, examples, SESSION } from '../../options/options.ts'
import { UsageError } from '../../process/exit-codes.ts'

/** `pith handoff`: compacts a session of any agent for another agent, or for a colleague's. */
export function handoffCommand(pith: Command): void {
  const to = new Option('--to <AGENT>', 'the agent that continues it')
  // The name until 0.2. It is not in the help.
  const command = pith.command('handoff').alias('hand-on')
  pith.hook('preSubcommand', async (_, called) => {
    if (called !== command) return
    const { RESUMABLE_FORMATS } = await import('../../../formats/formats.ts')
    to.choices([...RESUMABLE_FORMATS, 'pith'])
  })
  command
    .description('compact a session for another agent and print the command that resumes it, or pass it to a colleague')
    .argument('[session]', SESSION)
    .addOption(to)
    .option('--folder <DIR>', 'the project that the agent works in (this folder)')
    .option('--run', 'start the agent at once')
    .option('--bundle <FILE>', 'write it into a new file for a colleague instead, without keys, tokens and passwords')
    .option('--server <ADDRESS>', 'store it on a server instead, and print a link for a colleague')
    .option('--token <TOKEN>', 'its token; by default PITH_TOKEN, or the part of the address after #')
    .option('--expires <TIME>', 'how long that link works, by default 7d', durationOption)
    .option('--open <BUNDLE>', 'continue what a colleague handed over: a bundle, a link or any session file')
    .option('--focus <TEXT>', 'what a summary by a model should keep in any case')
    .option('--model <PROVIDER/MODEL>', 'the model that writes the summary')
    .option('--offline', 'ask no model: a digest, made from the log alone')
    .addHelpText(
      'after',
      examples(
        'pith handoff example --to claude-code --offline',
        'pith handoff example --offline --bundle upload.pith && pith handoff --open upload.pith --to codex --offline',
        'pith handoff SESSION --to codex --folder FOLDER',
        'pith handoff SESSION --to pi --run',
        'pith handoff SESSION --server https://pith.example --expires 2d',
      ),
    )
    .action(async (session: string | undefined, flags: HandoffFlags) => {
      process.exitCode = await run(session, flags)
    })
}

export type HandoffFlags = {
  readonly to?: string
  readonly folder?: string
  readonly run?: true
  readonly bundle?: string
  readonly server?: string
  readonly token?: string
  readonly expires?: number
  readonly open?: string
  readonly focus?: string
  readonly model?: string
  readonly offline?: true
}

async function run(session: string | undefined, flags: HandoffFlags): Promise<number> {
  const { to, bundle, server, open } = flags
  if ((session === undefined) === (open === undefined))
    throw new UsageError('bad-argument', 'name a session, or with --open what a colleague handed over')
  if ([to, bundle, server].filter((each) => each !== undefined).length !== 1)
    throw new UsageError('bad-argument', 'say where it goes: one of --to AGENT, --bundle FILE and --server ADDRESS')
  const { handoff, giveToColleague } = await import('./handoff-session.ts')
  if (to === undefined && open !== undefined) throw new UsageError('bad-argument', '--open needs --to AGENT')
  return to === undefined ? giveToColleague(session ?? '', flags) : handoff(session, to, flags)
}
