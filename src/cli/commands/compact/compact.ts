import type { Command } from 'commander'
import { PRESET_NAMES } from '../../../model/policy/preset-names.ts'
import { choiceOption, examples, formatOption, SESSION, tokensOption } from '../../options/options.ts'

/** `pith compact`: compacts a session of any agent so that it can continue. */
export function compactCommand(pith: Command): void {
  const command = pith.command('compact')
  command
    .description('compact a session: a file is read and left as it is, one of ours gets one more entry')
    .argument('<session>', SESSION)
    .option('--focus <TEXT>', 'what a summary by a model should keep in any case')
    .option('--policy <PRESET>', `when and how to compact: ${PRESET_NAMES.join(', ')}`, choiceOption(PRESET_NAMES))
    .option('--model <PROVIDER/MODEL>', 'the model that writes the summary')
    .option('--offline', 'ask no model: a digest, made from the log alone')
    .option('--at <N>', 'summarise the messages before message N')
    .option('--budget <TOKENS>', 'the most tokens that the result may have, such as 32k', tokensOption)
    .addOption(formatOption(command, 'write the result in this format'))
    .option('--out <FILE>', 'write the result into this new file')
    .option('--json', 'print the whole result as JSON')
    .addHelpText(
      'after',
      examples(
        'pith compact example --offline',
        'pith compact example --offline --budget 6k --to markdown --out hand-off.md',
        'pith compact example --offline --at 40 --json',
      ),
    )
    .action(async (what: string, options: CompactFlags) => {
      process.exitCode = await (await import('./compact-any.ts')).compactAny(what, options)
    })
}

export type CompactFlags = {
  readonly focus?: string
  readonly policy?: string
  readonly model?: string
  readonly offline?: true
  readonly at?: string
  readonly budget?: number
  readonly to?: string
  readonly out?: string
  readonly json?: true
}
