import { type Command, Option } from 'commander'
import { MODE_NAMES, type ModeName } from '../../gateway/modes/mode.ts'

export type WrapFlags = {
  readonly print?: true
  readonly mode?: ModeName
  readonly trigger?: 'own' | 'pith'
  readonly memory?: boolean
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
