import { type Command, Option } from 'commander'
import { MODE_NAMES } from '../../../gateway/modes/mode.ts'
import { examples } from '../../options/options.ts'
import type { WrapFlags } from '../../wrap/wrap-agent.ts'

/** `pith wrap AGENT -- ARGUMENTS`: another agent, with a gateway of its own. */
export function wrapCommand(pith: Command): void {
  const wrap = pith
    .command('wrap')
    .description(
      'start Claude Code, Codex, opencode, pi, Gemini CLI, Copilot CLI or qwen-code with a gateway of its own',
    )
    .argument('<agent>', 'claude, codex, opencode, pi, gemini, copilot or qwen')
    .argument('[arguments...]', 'for the agent, after --')
    .option('--print', 'print the variables for this shell instead; the gateway ends with the shell')
  addWrapFlags(wrap)
    .action(async (agent: string, args: string[], flags: WrapFlags) =>
      (await import('../../wrap/wrap-agent.ts')).wrapAgent(agent, args, flags),
    )
    .addHelpText(
      'after',
      examples(
        'pith wrap claude',
        'pith wrap codex -- exec "fix the failing test"',
        'eval "$(pith wrap --print claude)"',
      ),
    )
  pith
    .command('wrap-gateway', { hidden: true })
    .action(async () => (await import('../../wrap/wrap-gateway.ts')).runWrapGateway())
}

/** Adds the flags that say what a gateway does for the agent that it is started with. */
export function addWrapFlags(command: Command): Command {
  return command
    .addOption(new Option('--mode <mode>', 'what is done with requests').choices(MODE_NAMES))
    .addOption(
      new Option(
        '--trigger <whose>',
        "when the agent compacts: at its own trigger, or at that of Pith's policy",
      ).choices(['own', 'pith']),
    )
    .option('--memory', 'a new session begins with the memory of its project (pith memory)')
    .option('--no-memory', 'it begins without, whatever the configuration says')
}
