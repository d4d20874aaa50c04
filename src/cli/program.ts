import { Command, Help } from 'commander'
import { acpCommand } from './commands/acp/acp.ts'
import { compactCommand } from './commands/compact/compact.ts'
import { configCommand } from './commands/config/config.ts'
import { evalCommand } from './commands/eval/eval.ts'
import { gatewayCommand } from './commands/gateway/gateway.ts'
import { handoffCommand } from './commands/handoff/handoff.ts'
import { mcpCommand } from './commands/mcp/mcp.ts'
import { memoryCommand } from './commands/memory/memory.ts'
import { modelsCommand } from './commands/models/models.ts'
import { replayCommand } from './commands/replay/replay.ts'
import { runPromptCommand } from './commands/run/run.ts'
import { serveCommand } from './commands/serve/serve.ts'
import { copyCommands, lookBackCommands, sessionCommands } from './commands/sessions/session-commands.ts'
import { setupCommand, uninstallCommand } from './commands/setup/setup.ts'
import { storeCommand } from './commands/store/store.ts'
import { wrapCommand } from './commands/wrap/wrap.ts'
import { usageLine } from './options/options.ts'
import { terminalText } from './output/show.ts'
import { packageVersion } from './process/package.ts'

const EXAMPLES = `
Examples:
  $ pith inspect example                             what fills the window of a session, here of the bundled one
  $ pith compact example --offline                   compact a session without a model
  $ pith config                                      the settings, and where each comes from
  $ pith config set model anthropic/claude-sonnet-4-5
  $ pith config get policy.trigger_percent
  $ PITH_POLICY=koda pith config get policy          the settings of another policy, this once
  $ pith models claude                               models with "claude" in their name, and whether they can be used`

/** The command line: every command, its help and its error messages. */
export function program(): Command {
  const pith = new Command('pith')
  pith
    .description('Keeps an AI coding agent’s conversation inside its context window without losing what matters.')
    .version(packageVersion(), '-v, --version', 'print the version')
    .helpOption('-h, --help', 'show help')
    .addHelpText('after', `${EXAMPLES}\n${TERMINAL_HELP}`)
    .configureHelp({
      subcommandTerm: (command) => withoutAlias(new Help().subcommandTerm(command)),
      commandUsage: (command) => withoutAlias(new Help().commandUsage(command)),
    })
    .exitOverride()
  runPromptCommand(pith)
  sessionCommands(pith)
  compactCommand(pith)
  handoffCommand(pith)
  replayCommand(pith)
  evalCommand(pith)
  lookBackCommands(pith)
  memoryCommand(pith)
  copyCommands(pith)
  configCommand(pith)
  modelsCommand(pith)
  storeCommand(pith)
  serveCommand(pith)
  setupCommand(pith)
  wrapCommand(pith)
  gatewayCommand(pith)
  mcpCommand(pith)
  acpCommand(pith)
  uninstallCommand(pith)
  nameInErrors(pith, 'pith')
  return pith
}

/** Former names of commands keep working, but new users should not learn them. */
function withoutAlias(term: string): string {
  return term.replace(/\|[\w-]+/, '')
}

/** Lets each command name its own help when it is called wrongly. */
function nameInErrors(command: Command, name: string): void {
  command.configureOutput({
    outputError: (text, write) => write(`pith: ${terminalText(usageLine(text, name))}\n`),
  })
  for (const each of command.commands) nameInErrors(each, `${name} ${each.name()}`)
}

/** The flags of `pith` without a command, as help shows them. */
const TERMINAL_HELP = `
In a terminal, without a command, pith is the agent:
    pith                                             start a session here
    pith --continue                                  continue the latest session of this workspace
    pith --session ID                                continue that session (the beginning of its id is enough)
    pith --resume                                    choose a session from the list
    pith --server URL [--token T] [--workspace NAME] a session on a server (pith serve prints its address)
    pith --model PROVIDER/MODEL --permissions MODE --policy PRESET --theme THEME --store PLACE --no-instructions`
