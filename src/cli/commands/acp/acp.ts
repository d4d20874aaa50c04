import type { Command } from 'commander'
import { addSettingFlags, examples, settingFlags } from '../../options/options.ts'

/** `pith acp`: the agent in an editor, or another editor agent behind a gateway. */
export function acpCommand(pith: Command): void {
  const command = pith
    .command('acp')
    .description(
      'the agent in Zed, JetBrains and other editors: the Agent Client Protocol on standard input and output',
    )
    .option('--agent <command>', 'start this ACP agent instead, with a gateway of its own (as pith wrap does)')
    .option('--sign-in', 'start the terminal agent, to choose a model and give its key')
  addSettingFlags(command)
    .action(async ({ agent, signIn }: { readonly agent?: string; readonly signIn?: true }) => {
      if (signIn) {
        const { becomeProgram } = await import('../../process/become-program.ts')
        return becomeProgram(process.execPath, [...process.execArgv, process.argv[1] ?? ''], process.env)
      }
      if (agent !== undefined) return (await import('./wrap-acp.ts')).wrapAcp(agent)
      return (await import('./serve-acp.ts')).serveAcp(settingFlags(command))
    })
    .addHelpText('after', examples('pith acp', 'pith acp --agent claude-agent-acp', 'pith acp --agent "gemini --acp"'))
}
