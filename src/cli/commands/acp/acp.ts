import type { Command } from 'commander'
import { addSettingFlags, examples, givenSettingFlags, settingFlags } from '../../options/options.ts'
import { UsageError } from '../../process/exit-codes.ts'
import { addWrapFlags, type WrapFlags } from '../../wrap/wrap-flags.ts'

type AcpFlags = Omit<WrapFlags, 'print'> & { readonly agent?: string; readonly signIn?: true }

/** `pith acp`: the agent in an editor, or another editor agent behind a gateway. */
export function acpCommand(pith: Command): void {
  const command = pith
    .command('acp')
    .description(
      'the agent in Zed, JetBrains and other editors: the Agent Client Protocol on standard input and output',
    )
    .option('--agent <command>', 'start this ACP agent instead, with a gateway of its own (as pith wrap does)')
    .option('--sign-in', 'start the terminal agent, to choose a model and give its key')
  addWrapFlags(command)
  addSettingFlags(command, ['theme'])
    .action(async ({ agent, signIn, ...wrap }: AcpFlags) => {
      if (signIn) {
        const { becomeProgram } = await import('../../process/become-program.ts')
        return becomeProgram(process.execPath, [...process.execArgv, process.argv[1] ?? ''], process.env)
      }
      if (agent !== undefined) {
        refuse(givenSettingFlags(command), 'only for the agent of Pith, not with --agent')
        return (await import('./wrap-acp.ts')).wrapAcp(agent, wrap)
      }
      refuse(wrapFlagsIn(wrap), 'only for another agent, with --agent')
      return (await import('./serve-acp.ts')).serveAcp(settingFlags(command))
    })
    .addHelpText('after', examples('pith acp', 'pith acp --agent claude-agent-acp', 'pith acp --agent "gemini --acp"'))
}

/** A flag that would have no effect is an error: nobody looks at what an editor's agent prints. */
function refuse([flag]: readonly string[], why: string): void {
  if (flag !== undefined) throw new UsageError('bad-argument', `${flag} is ${why}`)
}

function wrapFlagsIn({ mode, trigger, memory }: WrapFlags): string[] {
  const given = { '--mode': mode, '--trigger': trigger, [memory === false ? '--no-memory' : '--memory']: memory }
  return Object.entries(given).flatMap(([flag, value]) => (value === undefined ? [] : [flag]))
}
