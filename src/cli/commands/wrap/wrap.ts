import type { Command } from 'commander'
import { examples } from '../../options/options.ts'
import { addWrapFlags, type WrapFlags } from '../../wrap/wrap-flags.ts'

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
